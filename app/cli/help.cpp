// SPDX-License-Identifier: GPL-3.0-or-later
// Help texts and completion scripts, both made from the table.
#include "options.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace app {

namespace {

QString optionLine(const OptionSpec& option)
{
    QString left = option.letter ? u"  -%1, --%2"_s.arg(QLatin1Char(option.letter)).arg(text(option.name))
                                 : u"      --%1"_s.arg(text(option.name));
    if (option.type != ValueType::flag)
        left += u' ' + text(option.value);
    return left.leftJustified(30) + u' ' + text(option.help) + u'\n';
}

QString optionBlock(const QString& title, const std::vector<OptionSpec>& options)
{
    if (options.empty())
        return {};
    QString block = u'\n' + title + u":\n"_s;
    for (const OptionSpec& option : options)
        block += optionLine(option);
    return block;
}

QString verbHelp(const VerbSpec& verb, const QString& program)
{
    QString help = u"Usage: %1 %2"_s.arg(program, text(verb.name));
    if (!verb.options.empty())
        help += u" [OPTIONS]"_s;
    if (*verb.arguments)
        help += u' ' + text(verb.arguments);
    help += u"\n\n"_s + text(verb.summary) + u'\n';
    if (*verb.more)
        help += text(verb.more) + u'\n';
    help += optionBlock(u"Options"_s, verb.options);
    help += optionBlock(u"Options of every verb"_s, globalOptions());
    return help;
}

QString verbList(const QString& noun)
{
    QString list;
    for (const VerbSpec& verb : verbTable()) {
        const QString name = text(verb.name);
        if (noun.isEmpty() || name.startsWith(noun + u' '))
            list += u"  "_s + name.leftJustified(20) + u' ' + text(verb.summary) + u'\n';
    }
    return list;
}

QString nounHelp(const QString& noun, const QString& program)
{
    return u"Usage: %1 %2 VERB\n\n"_s.arg(program, noun) + verbList(noun)
        + u"\n`%1 %2 VERB --help` shows the options of one.\n"_s.arg(program, noun);
}

QString programHelp(const QString& program)
{
    return u"Trialdeck runs and watches machine-learning trials.\n\n"
           "Usage: %1 [OPTIONS]\n       %1 VERB [OPTIONS] [ARGUMENTS]\n\n"
           "Try:   %1 --demo\n       %1 run --sample 20 lr=log:1e-4..1e-1 --wait -- python3 train.py --lr {lr}\n\nVerbs:\n"_s
               .arg(program)
        + verbList({}) + optionBlock(u"Options without a verb"_s, programOptions())
        + optionBlock(u"Options of every verb"_s, globalOptions())
        + u"\nExit codes: 0 done, and all succeeded; 1 refused or failed; 2 usage; 3 service not reached;\n"
          "            4 a waited-for trial failed; 5 timeout.\n"
          "`%1 VERB --help` shows more of a verb.\n"_s.arg(program);
}

/// The words after which the next may come: `` → first words, `platform` → its verbs.
QMap<QString, QStringList> wordTree()
{
    QMap<QString, QStringList> tree;
    for (const VerbSpec& verb : verbTable()) {
        const QStringList words = text(verb.name).split(u' ');
        if (!tree[QString()].contains(words[0]))
            tree[QString()] += words[0];
        if (words.size() == 2)
            tree[words[0]] += words[1];
    }
    return tree;
}

QStringList spellings(const std::vector<OptionSpec>& options)
{
    QStringList list;
    for (const OptionSpec& option : options)
        list += u"--"_s + text(option.name);
    return list;
}

QStringList valueOptions()
{
    QStringList list;
    const auto add = [&](const std::vector<OptionSpec>& options) {
        for (const OptionSpec& option : options)
            if (option.type != ValueType::flag && !list.contains(u"--"_s + text(option.name)))
                list += u"--"_s + text(option.name);
    };
    add(globalOptions());
    add(programOptions());
    for (const VerbSpec& verb : verbTable())
        add(verb.options);
    return list;
}

/// The body that bash and zsh share: `words` in, lines of candidates out.
QString shellFunction()
{
    const QMap<QString, QStringList> tree = wordTree();
    QString script = u"_trialdeck_candidates() {\n    local verb= noun= skip= word=\n    for word in \"$@\"; do\n"
                     "        if [ -n \"$skip\" ]; then skip=; continue; fi\n        case \"$word\" in\n"_s;
    script += u"            %1) skip=1; continue ;;\n            -*) continue ;;\n        esac\n"_s.arg(
        valueOptions().join(u'|'));
    QStringList nounWords;
    for (auto it = tree.begin(); it != tree.end(); ++it)
        if (!it.key().isEmpty())
            nounWords += it.key();
    script +=
        u"        if [ -z \"$verb\" ]; then\n            case \"$noun$word\" in\n                %1) noun=\"$word \" "
        u";;\n"
        "                *) verb=\"$noun$word\"; noun= ;;\n            esac\n        fi\n    done\n    case \"$noun$verb\" in\n"_s
            .arg(nounWords.join(u'|'));
    script += u"        '') echo '%1' ;;\n"_s.arg(
        (tree[QString()] + spellings(programOptions()) + spellings(globalOptions())).join(u' '));
    for (const QString& noun : nounWords)
        script += u"        '%1 ') echo '%2' ;;\n"_s.arg(noun, tree[noun].join(u' '));
    for (const VerbSpec& verb : verbTable()) {
        const QStringList words = text(verb.words).split(u'|', Qt::SkipEmptyParts);
        script += u"        '%1') echo '%2' ;;\n"_s.arg(
            text(verb.name), (words + spellings(verb.options) + spellings(globalOptions())).join(u' '));
    }
    script += u"    esac\n}\n"_s;
    return script;
}

QString fishScript()
{
    QString script = u"# Completion of trialdeck for fish\n"_s;
    const QMap<QString, QStringList> tree = wordTree();
    const auto options = [&](const QString& program, const QString& condition, const std::vector<OptionSpec>& list) {
        for (const OptionSpec& option : list) {
            script += u"complete -c %1%2 -l %3"_s.arg(program, condition, text(option.name));
            if (option.letter)
                script += u" -s %1"_s.arg(QLatin1Char(option.letter));
            if (option.type == ValueType::file || option.type == ValueType::folder)
                script += u" -rF"_s;
            else if (option.type != ValueType::flag)
                script += u" -x"_s;
            script += u" -d '%1'\n"_s.arg(text(option.help).replace(u'\'', u"\\'"_s));
        }
    };
    for (const QString& program : {u"trialdeck"_s, u"trialdeckd"_s}) {
        script += u"complete -c %1 -f -n __fish_use_subcommand -a '%2'\n"_s.arg(program, tree[QString()].join(u' '));
        options(program, u" -n __fish_use_subcommand"_s, programOptions());
        options(program, QString(), globalOptions());
        for (const VerbSpec& verb : verbTable()) {
            const QStringList words = text(verb.name).split(u' ');
            QString condition = u"__fish_seen_subcommand_from %1"_s.arg(words[0]);
            if (words.size() == 2) {
                script += u"complete -c %1 -f -n '%2; and not __fish_seen_subcommand_from %3' -a '%4' -d '%5'\n"_s.arg(
                    program, condition, tree[words[0]].join(u' '), words[1],
                    text(verb.summary).replace(u'\'', u"\\'"_s));
                condition += u"; and __fish_seen_subcommand_from %1"_s.arg(words[1]);
            }
            if (*verb.words)
                script += u"complete -c %1 -f -n '%2' -a '%3'\n"_s.arg(
                    program, condition, text(verb.words).replace(u'|', u' '));
            options(program, u" -n '%1'"_s.arg(condition), verb.options);
        }
    }
    return script;
}

} // namespace

QString helpText(const QString& topic, const QString& program)
{
    if (topic.isEmpty())
        return programHelp(program);
    if (const VerbSpec* verb = findVerb(topic))
        return verbHelp(*verb, program);
    return nounHelp(topic, program);
}

QString completionScript(const QString& shell)
{
    if (shell == u"bash"_s)
        return u"# Completion of trialdeck for bash\n"_s + shellFunction()
            + u"_trialdeck() {\n"
              "    local word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
              "    local given=(\"${COMP_WORDS[@]:1:COMP_CWORD-1}\")\n"
              "    COMPREPLY=($(compgen -W \"$(_trialdeck_candidates \"${given[@]}\")\" -- \"$word\"))\n"
              "}\n"
              "complete -o default -F _trialdeck trialdeck trialdeckd\n"_s;
    if (shell == u"zsh"_s)
        return u"#compdef trialdeck trialdeckd\n"_s + shellFunction()
            + u"_trialdeck() {\n"
              "    local -a given candidates\n"
              "    given=(\"${(@)words[2,CURRENT-1]}\")\n"
              "    candidates=(${=\"$(_trialdeck_candidates \"${given[@]}\")\"})\n"
              "    compadd -a candidates || _files\n"
              "}\n"
              "compdef _trialdeck trialdeck trialdeckd\n"_s;
    if (shell == u"fish"_s)
        return fishScript();
    return {};
}

} // namespace app
