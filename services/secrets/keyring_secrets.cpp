// SPDX-License-Identifier: GPL-3.0-or-later
#include "keyring_secrets.h"

#include "services/core/logging.h"

#include <QCoreApplication>
#include <QCoroFuture>
#include <QPromise>
#include <QTimer>

#include <qt6keychain/keychain.h>

using namespace Qt::StringLiterals;

namespace secrets {

namespace {

/// Long enough for a person to unlock it, and bounded, as on a server there is no one to do so.
constexpr int answerWithinMs = 30'000;

} // namespace

struct KeyringSecrets::Answer
{
    enum class Kind { done, nothing, refused, absent };
    Kind kind = Kind::absent;
    QString text;
};

KeyringSecrets::KeyringSecrets(QString collection, SecretStore* next)
    : m_collection(std::move(collection))
    , m_next(next)
{
}

Task<KeyringSecrets::Answer> KeyringSecrets::ask(Wish wish, QString key, QString text)
{
    const auto promise = std::make_shared<QPromise<Answer>>();
    promise->start();
    const QFuture<Answer> future = promise->future();
    const auto asking = [promise, wish, key, text, collection = m_collection] {
        QKeychain::Job* job = nullptr;
        if (wish == Wish::read) {
            job = new QKeychain::ReadPasswordJob(collection);
        } else if (wish == Wish::write) {
            auto* writing = new QKeychain::WritePasswordJob(collection);
            writing->setTextData(text);
            job = writing;
        } else {
            job = new QKeychain::DeletePasswordJob(collection);
        }
        job->setKey(key);
        const auto settle = [promise, over = std::make_shared<bool>(false)](const Answer& answer) {
            if (std::exchange(*over, true))
                return;
            promise->addResult(answer);
            promise->finish();
        };
        QObject::connect(job, &QKeychain::Job::finished, job, [settle](QKeychain::Job* ended) {
            Answer answer;
            switch (ended->error()) {
            case QKeychain::NoError:
                answer.kind = Answer::Kind::done;
                if (const auto* read = qobject_cast<QKeychain::ReadPasswordJob*>(ended))
                    answer.text = read->textData();
                break;
            case QKeychain::EntryNotFound:
                answer.kind = Answer::Kind::nothing;
                break;
            case QKeychain::AccessDenied:
            case QKeychain::AccessDeniedByUser:
                answer.kind = Answer::Kind::refused;
                break;
            default:
                answer.kind = Answer::Kind::absent;
            }
            settle(answer);
        });
        QTimer::singleShot(answerWithinMs, job, [settle] { settle({}); });
        job->start();
    };
    QMetaObject::invokeMethod(QCoreApplication::instance(), asking);
    co_await qCoro(future).waitForFinished();
    const Answer answer = future.result();
    if (answer.kind == Answer::Kind::absent && std::exchange(m_isThere, false))
        qCInfo(lcEngine) << "there is no keyring that answers; secrets are kept in a file that only its owner may read";
    co_return answer;
}

Task<Result<std::optional<QString>>> KeyringSecrets::read(QString key)
{
    const Result<std::optional<QString>> elsewhere = co_await m_next->read(key);
    if (!elsewhere || *elsewhere || !m_isThere)
        co_return Result<std::optional<QString>>(elsewhere);
    const Answer answer = co_await ask(Wish::read, key, QString());
    if (answer.kind == Answer::Kind::refused)
        co_return fail(Kind::auth, u"The keyring did not give the secrets of %1. Unlock it, and try again."_m.arg(key));
    if (answer.kind != Answer::Kind::done)
        co_return std::optional<QString>();
    co_return std::optional<QString>(answer.text);
}

Task<Result<>> KeyringSecrets::write(QString key, QString text)
{
    if (m_isThere) {
        const Answer answer = co_await ask(Wish::write, key, text);
        if (answer.kind == Answer::Kind::refused)
            co_return fail(
                Kind::auth, u"The keyring did not take the secrets of %1. Unlock it, and try again."_m.arg(key));
        if (answer.kind == Answer::Kind::done)
            co_return co_await m_next->remove(key); // what an earlier life left there would hide it
    }
    co_return co_await m_next->write(key, text);
}

Task<Result<>> KeyringSecrets::remove(QString key)
{
    if (m_isThere) {
        const Answer answer = co_await ask(Wish::remove, key, QString());
        if (answer.kind == Answer::Kind::refused)
            co_return fail(
                Kind::auth, u"The keyring did not remove the secrets of %1. Unlock it, and try again."_m.arg(key));
    }
    co_return co_await m_next->remove(key);
}

} // namespace secrets
