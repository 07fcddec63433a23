// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_run.h"

#include "models/background.h"

#include <QLocale>
#include <QPointer>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

PlanRun::PlanRun(EngineMirror& mirror, ExperimentPlan plan, PlanPlace place, QObject* parent)
    : QObject(parent)
    , m_mirror(mirror)
    , m_plan(std::move(plan))
    , m_place(std::move(place))
{
}

void PlanRun::start()
{
    if (!m_plan.needsNni.isEmpty()) {
        emit finished(fail(Kind::invalid, m_plan.needsNni));
        return;
    }
    if (!m_plan.pack) {
        makePlatform();
        return;
    }
    emit told(tr("The code is being packed."));
    inBackground(this, m_plan.pack, [this](const Result<CodeArchive>& packed) {
        if (packed)
            send(*packed);
        else
            emit finished(fail(packed));
    });
}

void PlanRun::ask(api::Command command, std::function<void(const Result<api::Reply>&)> done)
{
    m_mirror.ask(std::move(command), [self = QPointer(this), done = std::move(done)](const auto& reply) {
        if (self)
            done(reply);
    });
}

void PlanRun::send(const CodeArchive& archive)
{
    m_archive = archive;
    ask(api::HasCode{archive.sha}, [this](const Result<api::Reply>& known) {
        if (known) {
            useCode();
            return;
        }
        if (known.error().kind != Kind::not_found) {
            emit finished(fail(known));
            return;
        }
        const auto tellSent = [this](qint64 sent) {
            const QLocale locale;
            emit told(tr("The code is being sent: %1 of %2")
                          .arg(locale.formattedDataSize(sent), locale.formattedDataSize(m_archive.bytes)));
        };
        tellSent(0);
        connect(&m_mirror.client(), &client::EngineClient::uploading, this,
            [this, tellSent](const QString& file, qint64 sent) {
                if (file == m_archive.file && sent > 0)
                    tellSent(sent);
            });
        ask(api::StoreCode{m_archive.sha, m_archive.file}, [this](const Result<api::Reply>& stored) {
            m_mirror.client().disconnect(this);
            if (stored)
                useCode();
            else
                emit finished(fail(stored, tr("The code was not sent")));
        });
    });
}

void PlanRun::useCode()
{
    m_plan.spec.codeHash = m_archive.sha;
    m_plan.spec.codeDir.clear();
    m_plan.spec.codeInPlace = false;
    m_archive = {};
    makePlatform();
}

void PlanRun::makePlatform()
{
    if (!m_place.isNew) {
        create();
        return;
    }
    ask(api::PutPlatform{m_place.id, m_plan.kind, m_plan.settings, std::nullopt},
        [this](const Result<api::Reply>& made) {
            if (made)
                create();
            else
                emit finished(fail(made, tr("The platform that the file describes")));
        });
}

void PlanRun::create()
{
    emit told(tr("The experiment is being created."));
    // The idempotency key: if the answer is lost and the request is sent again, the experiment is created once.
    const api::CreateExperiment create{
        specAt(m_plan, m_place.id, m_mirror.state()), QUuid::createUuid().toString(QUuid::WithoutBraces)};
    ask(create, [this](const Result<api::Reply>& reply) {
        const Result<Json> document = reply ? client::documentOf(*reply) : Result<Json>(tl::unexpected(reply.error()));
        if (document)
            emit finished(ExperimentId(document->value("id", QString())));
        else
            emit finished(fail(document));
    });
}

} // namespace models
