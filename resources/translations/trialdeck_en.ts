<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>models::AddMachinesModel</name>
    <message numerus="yes">
        <source>ready, %n warning(s)</source>
        <translation>
            <numerusform>ready, %n warning</numerusform>
            <numerusform>ready, %n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::FailureModel</name>
    <message numerus="yes">
        <source>%n machine(s)</source>
        <translation>
            <numerusform>%n machine</numerusform>
            <numerusform>%n machines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::MachineCells</name>
    <message numerus="yes">
        <source>%n GPUs of several models</source>
        <translation>
            <numerusform>%n GPUs of several models</numerusform>
            <numerusform>%n GPUs of several models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::MachineInquiry</name>
    <message numerus="yes">
        <source>%n machine(s) answered.</source>
        <translation>
            <numerusform>%n machine answered.</numerusform>
            <numerusform>%n machines answered.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::PlanWords</name>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n hour</numerusform>
            <numerusform>%n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n second</numerusform>
            <numerusform>%n seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::QueueModel</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::TrialCell</name>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>models::WhyWaiting</name>
    <message numerus="yes">
        <source>%n GPU(s) run trials</source>
        <translation>
            <numerusform>%n GPU runs trials</numerusform>
            <numerusform>%n GPUs run trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Run on %n GPU(s)</source>
        <translation>
            <numerusform>Run on %n GPU</numerusform>
            <numerusform>Run on %n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::ActionWords</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other(s) are not concerned.</source>
        <translation>
            <numerusform>%n other is not concerned.</numerusform>
            <numerusform>%n others are not concerned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) will be cancelled in %1 s</source>
        <translation>
            <numerusform>%n trial will be cancelled in %1 s</numerusform>
            <numerusform>%n trials will be cancelled in %1 s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) will be retried in %1 s</source>
        <translation>
            <numerusform>%n trial will be retried in %1 s</numerusform>
            <numerusform>%n trials will be retried in %1 s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cancel %n trial(s)</source>
        <translation>
            <numerusform>Cancel %n trial</numerusform>
            <numerusform>Cancel %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cancel %n trial(s)?</source>
        <translation>
            <numerusform>Cancel %n trial?</numerusform>
            <numerusform>Cancel %n trials?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry %n trial(s)</source>
        <translation>
            <numerusform>Retry %n trial</numerusform>
            <numerusform>Retry %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry %n trial(s)?</source>
        <translation>
            <numerusform>Retry %n trial?</numerusform>
            <numerusform>Retry %n trials?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Give up %n trial(s) whose machine does not answer: they end here at once, and there once it answers</source>
        <translation>
            <numerusform>Give up %n trial whose machine does not answer: it ends here at once, and there once the machine answers</numerusform>
            <numerusform>Give up %n trials whose machines do not answer: they end here at once, and there once the machines answer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::AddMachines</name>
    <message numerus="yes">
        <source>%n chosen</source>
        <translation>
            <numerusform>%n chosen</numerusform>
            <numerusform>%n chosen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ready</source>
        <translation>
            <numerusform>%n ready</numerusform>
            <numerusform>%n ready</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n being checked</source>
        <translation>
            <numerusform>%n being checked</numerusform>
            <numerusform>%n being checked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add %n ready machine(s)</source>
        <translation>
            <numerusform>Add %n ready machine</numerusform>
            <numerusform>Add %n ready machines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more question(s)</source>
        <translation>
            <numerusform>%n more question</numerusform>
            <numerusform>%n more questions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n machine(s) added to %1.</source>
        <translation>
            <numerusform>%n machine added to %1.</numerusform>
            <numerusform>%n machines added to %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n machine(s) of %1 are listed: tick them to check them.</source>
        <translation>
            <numerusform>%n machine of %1 is listed: tick it to check it.</numerusform>
            <numerusform>%n machines of %1 are listed: tick them to check them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::BestChart</name>
    <message numerus="yes">
        <source>%n trial(s) with a value, best %1 by trial %2</source>
        <translation>
            <numerusform>%n trial with a value, best %1 by trial %2</numerusform>
            <numerusform>%n trials with a value, best %1 by trial %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::CheckList</name>
    <message numerus="yes">
        <source>Check passed, %n warning(s)</source>
        <translation>
            <numerusform>Check passed, %n warning</numerusform>
            <numerusform>Check passed, %n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::CommandFields</name>
    <message numerus="yes">
        <source>%n parameter(s) in the command. {name} becomes the value.</source>
        <translation>
            <numerusform>%n parameter in the command. {name} becomes the value.</numerusform>
            <numerusform>%n parameters in the command. {name} becomes the value.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::CompareDialog</name>
    <message numerus="yes">
        <source>Compare %n trial(s)</source>
        <translation>
            <numerusform>Compare %n trial</numerusform>
            <numerusform>Compare %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n the same</source>
        <translation>
            <numerusform>and %n the same</numerusform>
            <numerusform>and %n the same</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::CurvesCard</name>
    <message numerus="yes">
        <source>mean of %n, band min to max</source>
        <translation>
            <numerusform>mean of %n, band min to max</numerusform>
            <numerusform>mean of %n, band min to max</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::EventsPage</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::ExperimentsPage</name>
    <message numerus="yes">
        <source>%n GPU(s) a trial</source>
        <translation>
            <numerusform>%n GPU a trial</numerusform>
            <numerusform>%n GPUs a trial</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::FailuresPage</name>
    <message numerus="yes">
        <source>%n trial(s) failed</source>
        <translation>
            <numerusform>%n trial failed</numerusform>
            <numerusform>%n trials failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cause(s)</source>
        <translation>
            <numerusform>%n cause</numerusform>
            <numerusform>%n causes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry %n trial(s)</source>
        <translation>
            <numerusform>Retry %n trial</numerusform>
            <numerusform>Retry %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::FirstRun</name>
    <message numerus="yes">
        <source>%n core(s), %1 of memory</source>
        <translation>
            <numerusform>%n core, %1 of memory</numerusform>
            <numerusform>%n cores, %1 of memory</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::GiveUpDialog</name>
    <message numerus="yes">
        <source>%1: %n trial(s)</source>
        <translation>
            <numerusform>%1: %n trial</numerusform>
            <numerusform>%1: %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::GpuUsageChart</name>
    <message numerus="yes">
        <source>last %n minute(s)</source>
        <translation>
            <numerusform>last minute</numerusform>
            <numerusform>last %n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>last %n hour(s)</source>
        <translation>
            <numerusform>last hour</numerusform>
            <numerusform>last %n hours</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::GuideWindow</name>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n place</numerusform>
            <numerusform>%n places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::MachineBoxes</name>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::MachinesPage</name>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::MainWindow</name>
    <message numerus="yes">
        <source>%n trial(s) wait for a place.</source>
        <translation>
            <numerusform>%n trial waits for a place.</numerusform>
            <numerusform>%n trials wait for a place.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n machine(s) are asked.</source>
        <translation>
            <numerusform>%n machine is asked.</numerusform>
            <numerusform>%n machines are asked.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::MetricCandidates</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::NewExperimentDialog</name>
    <message numerus="yes">
        <source>Run %n trial(s)</source>
        <translation>
            <numerusform>Run %n trial</numerusform>
            <numerusform>Run %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n field(s) to correct</source>
        <translation>
            <numerusform>%n field to correct</numerusform>
            <numerusform>%n fields to correct</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::NoteEdit</name>
    <message numerus="yes">
        <source>The notes of %n trials are gone</source>
        <translation>
            <numerusform>The note of %n trial is gone</numerusform>
            <numerusform>The notes of %n trials are gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Noted on %n trials</source>
        <translation>
            <numerusform>Noted on %n trial</numerusform>
            <numerusform>Noted on %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Note on %n trials</source>
        <translation>
            <numerusform>Note on %n trial</numerusform>
            <numerusform>Note on %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Note on %n trials. Their notes differ: this one replaces them all.</source>
        <translation>
            <numerusform>Note on %n trial. This one replaces its note.</numerusform>
            <numerusform>Note on %n trials. Their notes differ: this one replaces them all.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::OpenExperimentDialog</name>
    <message numerus="yes">
        <source>%n file(s), %1</source>
        <translation>
            <numerusform>%n file, %1</numerusform>
            <numerusform>%n files, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::OverviewPage</name>
    <message numerus="yes">
        <source>%n more cause(s)</source>
        <translation>
            <numerusform>%n more cause</numerusform>
            <numerusform>%n more causes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::ParametersCard</name>
    <message numerus="yes">
        <source>%n trial(s) left out: no number to show in %1</source>
        <translation>
            <numerusform>%n trial left out: no number to show in %1</numerusform>
            <numerusform>%n trials left out: no number to show in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::PlatformsPage</name>
    <message numerus="yes">
        <source>It is tried again in %n s.</source>
        <translation>
            <numerusform>It is tried again in %n s.</numerusform>
            <numerusform>It is tried again in %n s.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::QueuePage</name>
    <message numerus="yes">
        <source>%n trial(s) of other experiments wait.</source>
        <translation>
            <numerusform>%n trial of other experiments waits.</numerusform>
            <numerusform>%n trials of other experiments wait.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::RemoveMachine</name>
    <message numerus="yes">
        <source>It is taken out of its platform. Everything of Trialdeck is deleted there: %n folder(s) of trials with their output files, copied code, and the agent. Metrics and what the trials reported stay here.</source>
        <translation>
            <numerusform>It is taken out of its platform. Everything of Trialdeck is deleted there: %n folder of trials with their output files, copied code, and the agent. Metrics and what the trials reported stay here.</numerusform>
            <numerusform>It is taken out of its platform. Everything of Trialdeck is deleted there: %n folders of trials with their output files, copied code, and the agent. Metrics and what the trials reported stay here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Give up %n trial(s) that have not ended; they may run on there</source>
        <translation>
            <numerusform>Give up %n trial that has not ended; it may run on there</numerusform>
            <numerusform>Give up %n trials that have not ended; they may run on there</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::SearchFields</name>
    <message numerus="yes">
        <source>%n parameter(s)</source>
        <translation>
            <numerusform>%n parameter</numerusform>
            <numerusform>%n parameters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::SelectionBar</name>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::SeriesLegend</name>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::TestRun</name>
    <message numerus="yes">
        <source>%n value(s) of %1 came, best %2</source>
        <translation>
            <numerusform>%n value of %1 came, best %2</numerusform>
            <numerusform>%n values of %1 came, best %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::TrialFilesTab</name>
    <message numerus="yes">
        <source>The first %n files are shown. All come with `trialdeck pull`.</source>
        <translation>
            <numerusform>The first file is shown. All come with `trialdeck pull`.</numerusform>
            <numerusform>The first %n files are shown. All come with `trialdeck pull`.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::TrialMenu</name>
    <message numerus="yes">
        <source>Cancel %n trial(s)</source>
        <translation>
            <numerusform>Cancel %n trial</numerusform>
            <numerusform>Cancel %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stop %n trial(s) early</source>
        <translation>
            <numerusform>Stop %n trial early</numerusform>
            <numerusform>Stop %n trials early</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry %n trial(s)</source>
        <translation>
            <numerusform>Retry %n trial</numerusform>
            <numerusform>Retry %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tags that all %n trials have, with commas between them; others stay</source>
        <translation>
            <numerusform>Tags of the trial, with commas between them</numerusform>
            <numerusform>Tags that all %n trials have, with commas between them; others stay</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::TrialsPage</name>
    <message numerus="yes">
        <source>%n trial(s) are hidden by it.</source>
        <translation>
            <numerusform>%n trial is hidden by it.</numerusform>
            <numerusform>%n trials are hidden by it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copy %n row(s)</source>
        <translation>
            <numerusform>Copy %n row</numerusform>
            <numerusform>Copy %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %n row(s), with their header.</source>
        <translation>
            <numerusform>Copied %n row, with its header.</numerusform>
            <numerusform>Copied %n rows, with their header.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::charts::PlotWords</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
</TS>
