// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_check.h"

#include "services/core/one_shot.h"
#include "services/platforms/keeper/doctor_words.h"
#include "services/transport/agent_limits.h"
#include "services/transport/wire_json.h"
#include "test_trial.h"

#include <QSet>

#include <optional>

using namespace Qt::StringLiterals;

namespace platforms {

using transport::AgentClient;
using transport::lineOf;
using transport::linesOf;
namespace limits = transport::limits;

namespace {

/// The name under which a check's agent runs. It differs from the machine's and from that of any other running check, because an
/// agent exits when another one with the same name starts. The first free name is used, so that a later check finds and removes
/// the files of a check whose service was killed. Service thread.
class CheckName
{
public:
    explicit CheckName(const MachineId& machine)
    {
        for (int number = 1; m_text.isEmpty() || taken().contains(m_text); ++number)
            m_text = machine.value + (number == 1 ? u".check"_s : u".check%1"_s.arg(number));
        taken().insert(m_text);
    }
    ~CheckName() { taken().remove(m_text); }
    CheckName(const CheckName&) = delete;
    CheckName& operator=(const CheckName&) = delete;

    [[nodiscard]] const QString& text() const { return m_text; }

private:
    static QSet<QString>& taken()
    {
        static QSet<QString> names;
        return names;
    }

    QString m_text;
};

/// The difference between the machine's clock and ours. The machine read its clock at some time between `asked` and `now`, so
/// only a reading outside of that range counts. All times are in milliseconds since the epoch.
CheckStep clockStep(qint64 theirs, qint64 asked, qint64 now)
{
    const qint64 off = theirs < asked ? asked - theirs : theirs > now ? theirs - now : 0;
    const bool much = off > 5'000;
    return CheckStep{u"clockSkew"_s, u"Clock"_m, much ? CheckState::warn : CheckState::ok,
        u"%1 s off"_m.arg(QString::number(double(off) / 1'000, 'f', 1)),
        much ? u"Let the machine keep time (NTP); times of its trials are shown as its clock says."_m : Message(), {}};
}

} // namespace

Message remedyFor(const Error& error, const QString& sshAddress)
{
    // `user@host:port`, as a machine's address is written, in words for the programs of OpenSSH.
    QString to = sshAddress;
    if (const qsizetype colon = to.lastIndexOf(u':'); colon > 0 && to.count(u':') == 1)
        to = u"-p %1 %2"_s.arg(to.mid(colon + 1), to.left(colon));
    switch (error.kind) {
    case Kind::conflict:
        return u"Compare the fingerprint with the one from the machine's administrator; accept it only if both are the same."_m;
    case Kind::auth:
        return u"Set the key file or the password of this machine, or let your key in there: ssh-copy-id "_m + to;
    case Kind::resource:
        return u"Free some space there, or choose another folder for trials (scratchDir)."_m;
    case Kind::invalid:
        return u"Correct this machine's settings, then check it again."_m;
    case Kind::timeout:
    case Kind::network:
        if (!to.isEmpty())
            return u"See whether this computer reaches it, and whether host and port are right: ssh %1 true"_m.arg(to);
        break;
    case Kind::platform:
        if (!to.isEmpty())
            return u"See what the account's shell and the preCommand do there: ssh %1 true"_m.arg(to);
        break;
    default:
        return {};
    }
    return u"See the service's log (app.agent) for what the agent wrote."_m;
}

CheckStep checkStepOf(const Json& finding, const MachineId& machine)
{
    return CheckStep{lineOf(finding, "id", limits::wordChars),
        doctorMessage(lineOf(finding, "title", limits::nameChars)),
        OpenWord<CheckState>::fromWord(lineOf(finding, "state", limits::wordChars)),
        doctorMessage(linesOf(finding, "detail", limits::messageChars)),
        doctorMessage(linesOf(finding, "remedy", limits::messageChars)), machine};
}

Task<Result<>> checkHost(OperationId request, HostSetup setup, Context context, MachineId named, QString kind)
{
    const CheckName name(setup.machine.id);
    AgentClient agent(context.clock, setup.link, context.serviceId, name.text(), 0);
    OneShot<Result<transport::AgentHello>> answered;
    QObject::connect(&agent, &AgentClient::up, &agent,
        [answered](const transport::AgentHello& hello) mutable { answered.set(hello); });
    QObject::connect(&agent, &AgentClient::lost, &agent, [answered](const Error& error, qint64) mutable {
        // No message: still connecting, or waiting for a person's answer.
        if (!error.message.isEmpty())
            answered.set(tl::unexpected(error));
    });
    const std::stop_callback stopping(context.stop, [&agent, answered]() mutable {
        if (!answered.set(fail(Kind::cancelled, u"The service is ending."_m)))
            agent.abandon();
    });
    const auto tell = [sink = context.sink, request, named](CheckStep step) {
        step.machineId = named;
        sink->finding(request, step);
    };
    // A step on the way may fail several times while it is retried; only the last failure is reported, with its remedy.
    std::optional<CheckStep> failedOnTheWay;
    bool isIn = !setup.trust; // this computer needs no login
    QObject::connect(&agent, &AgentClient::examined, &agent, [&failedOnTheWay, &isIn, tell](const CheckStep& seen) {
        isIn = isIn || (seen.id == u"login"_s && seen.state == CheckState::ok);
        if (seen.state == CheckState::fail)
            failedOnTheWay = seen;
        else
            tell(seen);
    });
    CheckStep step{u"agent"_s, u"Start the agent"_m, CheckState::running, {}, {}, {}};
    QObject::connect(&agent, &AgentClient::waiting, &agent, [&step, tell](const Message& what, bool) {
        step.detail = what;
        tell(step);
    });
    tell(step);
    agent.start();
    const qint64 asked = context.clock->nowMs();
    const auto hello = co_await answered.wait();
    if (!hello) {
        const Error& error = hello.error();
        // The program ssh reports no failed step: where it was not reached or not trusted, there was no login.
        const bool isOfLogin = error.kind == Kind::network || error.kind == Kind::auth || error.kind == Kind::conflict;
        if (!failedOnTheWay && !isIn && isOfLogin)
            failedOnTheWay = CheckStep{u"login"_s, u"Log in"_m, CheckState::fail, error.message, {}, {}};
        const bool onTheWay = failedOnTheWay && failedOnTheWay->detail == error.message;
        CheckStep failed = onTheWay ? *failedOnTheWay : step;
        failed.state = CheckState::fail;
        failed.detail = error.message;
        failed.remedy = remedyFor(error, setup.trust ? setup.machine.address : QString());
        tell(failed);
        if (onTheWay) {
            step.state = CheckState::skipped;
            step.detail = u"not reached"_m;
            tell(step);
        }
        co_await agent.close();
        co_return fail(hello);
    }
    step.state = CheckState::ok;
    step.detail = u"%1, %2 cores, %3"_m.arg(hello->hostname, QString::number(hello->cpuCount), hello->arch);
    tell(step);
    tell(clockStep(hello->time, asked, context.clock->nowMs()));
    // Where no process can be started at all, the finding that says so is enough.
    bool canStart = true;
    auto found = [tell, &canStart](const Json& finding) {
        const CheckStep seen = checkStepOf(finding, {});
        canStart = canStart && !(seen.id == u"proc" && seen.state == CheckState::fail);
        tell(seen);
    };
    const auto examined = co_await agent.doctor(found);
    if (examined && canStart) {
        const QList<CheckStep> steps = co_await runTestTrial(&agent, context.clock, kind, context.stop);
        for (const CheckStep& last : steps)
            tell(last);
    }
    // Remove the check's files. A failure of this is not reported.
    if (!context.stop.stop_requested())
        std::ignore = co_await agent.removeAll();
    co_await agent.close();
    co_return examined;
}

} // namespace platforms
