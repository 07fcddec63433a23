<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FailureWords</name>
    <message>
        <source>CUDA out of memory</source>
        <translation>CUDA 内存不足</translation>
    </message>
    <message>
        <source>Disk full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>Signal</source>
        <translation>信号</translation>
    </message>
    <message>
        <source>Could not start</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>Supervisor lost</source>
        <translation>监管进程丢失</translation>
    </message>
    <message>
        <source>Machine restarted</source>
        <translation>机器重启</translation>
    </message>
    <message>
        <source>Folder lost</source>
        <translation>文件夹丢失</translation>
    </message>
    <message>
        <source>Reported by the platform</source>
        <translation>平台报告</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Never started</source>
        <translation>从未启动</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>An experiment that NNI ran. It can be looked at, not changed.</source>
        <translation>由 NNI 运行过的实验：可以查看，不能更改。</translation>
    </message>
    <message>
        <source>NNI left no record of its end.</source>
        <translation>NNI 没有留下它结束的记录。</translation>
    </message>
    <message>
        <source>NNI says that it failed, and keeps no reason.</source>
        <translation>NNI 说它失败了，但没有保存原因。</translation>
    </message>
</context>
<context>
    <name>app::ArchiveWindow</name>
    <message>
        <source>This window shows an old experiment. Do that in the window of your service.</source>
        <translation>此窗口显示一个旧实验。请在您的服务的窗口中操作。</translation>
    </message>
    <message>
        <source>This is an old experiment of NNI: it can be looked at, not changed.</source>
        <translation>这是 NNI 的旧实验：可以查看，不能更改。</translation>
    </message>
    <message>
        <source>NNI, read only</source>
        <translation>NNI，只读</translation>
    </message>
</context>
<context>
    <name>app::DesktopEnvironment</name>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>The demo runs on the computer of its service: run `trialdeck --demo` there, or open a window of its own.</source>
        <translation>演示在服务所在的计算机上运行：请在那里执行 `trialdeck --demo`，或另开一个本机窗口。</translation>
    </message>
    <message>
        <source>Installed: the service starts with your next login. Until then it takes over when you close the window and keep running.</source>
        <translation>已安装：服务会在您下次登录时启动。在那之前，关闭窗口并选择继续运行时由它接手。</translation>
    </message>
    <message>
        <source>Installed: the service starts with your login.</source>
        <translation>已安装：服务会在您登录时启动。</translation>
    </message>
</context>
<context>
    <name>app::OwnEngine</name>
    <message>
        <source>The service is ending.</source>
        <translation>服务正在结束。</translation>
    </message>
</context>
<context>
    <name>app::PullPlug</name>
    <message>
        <source>No folder could be made for it: %1</source>
        <translation>无法为其创建文件夹：%1</translation>
    </message>
    <message>
        <source>Service started in a data directory of its own, process %1</source>
        <translation>服务已在自己的数据目录中启动，进程 %1</translation>
    </message>
    <message>
        <source>The service ended by itself: %1</source>
        <translation>服务自行结束：%1</translation>
    </message>
    <message>
        <source>It did not go on within %1 seconds.</source>
        <translation>在 %1 秒内没有进展。</translation>
    </message>
    <message>
        <source>Service started again, process %1</source>
        <translation>服务再次启动，进程 %1</translation>
    </message>
    <message>
        <source>%1 trials submitted, %2 at once</source>
        <translation>已提交 %1 个试验，同时 %2 个</translation>
    </message>
    <message>
        <source>%1 trials run, %2 wait</source>
        <translation>%1 个试验运行，%2 个等待</translation>
    </message>
    <message>
        <source>kill -9 to the service, process %1</source>
        <translation>对服务执行 kill -9，进程 %1</translation>
    </message>
    <message>
        <source>Trials go on. Their values stay beside them.</source>
        <translation>试验继续运行。它们的值保留在其旁边。</translation>
    </message>
    <message>
        <source>%1 trials adopted, %2 s after the start</source>
        <translation>启动后 %2 秒接管了 %1 个试验</translation>
    </message>
    <message>
        <source>%1 values of the gap read, in order</source>
        <translation>已按顺序读取中断期间的 %1 个值</translation>
    </message>
    <message>
        <source>Proof written</source>
        <translation>证明已写出</translation>
    </message>
</context>
<context>
    <name>models::AddMachinesModel</name>
    <message>
        <source>Host key</source>
        <translation>主机密钥</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>asks</source>
        <translation>在提问</translation>
    </message>
    <message>
        <source>not a machine</source>
        <translation>不是机器</translation>
    </message>
    <message>
        <source>checking</source>
        <translation>检查中</translation>
    </message>
    <message>
        <source>checking: %1</source>
        <translation>检查中：%1</translation>
    </message>
    <message>
        <source>has a question</source>
        <translation>有问题要问</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message numerus="yes">
        <source>ready, %n warning(s)</source>
        <translation>
            <numerusform>就绪，%n 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>%1; added anyway</source>
        <translation>%1；仍然添加</translation>
    </message>
    <message>
        <source>in the platform %1</source>
        <translation>已在平台 %1 中</translation>
    </message>
    <message>
        <source>The platform %1 is of the kind %2, and not for machines over SSH.</source>
        <translation>平台 %1 的类型是 %2，不用于通过 SSH 连接的机器。</translation>
    </message>
    <message>
        <source>No machine is ready. Tick one; it is added when its check has passed.</source>
        <translation>没有就绪的机器。请勾选一台；检查通过后即可添加。</translation>
    </message>
    <message>
        <source>No machine is ready yet: its check goes on.</source>
        <translation>还没有就绪的机器：检查仍在进行。</translation>
    </message>
    <message>
        <source>No machine is ready: look at what its check found. It can be added anyway.</source>
        <translation>没有就绪的机器：请查看检查发现的问题，也可以仍然添加它。</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>密钥 %1</translation>
    </message>
    <message>
        <source>via %1</source>
        <translation>经由 %1</translation>
    </message>
    <message>
        <source>with a password</source>
        <translation>有密码</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
</context>
<context>
    <name>models::CheckMatrix</name>
    <message>
        <source>%1 on %2: %3, %4</source>
        <translation>%2 上的 %1：%3，%4</translation>
    </message>
</context>
<context>
    <name>models::CheckWords</name>
    <message>
        <source>good</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无应答</translation>
    </message>
    <message>
        <source>no such name</source>
        <translation>无此名称</translation>
    </message>
</context>
<context>
    <name>models::ClusterQueueModel</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%2 个中 %1 个空闲</translation>
    </message>
    <message>
        <source>%1 (default)</source>
        <translation>%1（默认）</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>open</source>
        <translation>开放</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Partition or queue</source>
        <translation>分区或队列</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>CPUs</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Longest run</source>
        <translation>最长运行时间</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>models::DraftForecast</name>
    <message>
        <source>Choose a platform first.</source>
        <translation>请先选择平台。</translation>
    </message>
    <message>
        <source>%1 is not ready: %2</source>
        <translation>%1 未就绪：%2</translation>
    </message>
    <message>
        <source>The first %1 start at once on %2.</source>
        <translation>前 %1 个立即在 %2 上开始。</translation>
    </message>
    <message>
        <source>No GPU is known on %1; trials that want one would wait.</source>
        <translation>%1 上没有已知的 GPU；需要 GPU 的试验会等待。</translation>
    </message>
    <message>
        <source>%1 of %2 GPUs are free: the first %3 start at once.</source>
        <translation>%2 个 GPU 中 %1 个空闲：前 %3 个立即开始。</translation>
    </message>
    <message>
        <source>Each trial: %1 pods, GPUs: %2.</source>
        <translation>每个试验：%1 个 Pod，GPU：%2。</translation>
    </message>
    <message>
        <source>Each trial: %1 pods.</source>
        <translation>每个试验：%1 个 Pod。</translation>
    </message>
    <message>
        <source>%1 is not ready yet.</source>
        <translation>%1 尚未就绪。</translation>
    </message>
</context>
<context>
    <name>models::DraftWords</name>
    <message>
        <source>A parameter needs a name.</source>
        <translation>参数需要名称。</translation>
    </message>
    <message>
        <source>%1: write the values to choose from, with commas between them.</source>
        <translation>%1：请写出可选的值，用逗号分隔。</translation>
    </message>
    <message>
        <source>%1: %2 must be a number.</source>
        <translation>%1：%2 必须是数字。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>%1: both ends must be whole numbers.</source>
        <translation>%1：两端都必须是整数。</translation>
    </message>
    <message>
        <source>%1: From must be below To.</source>
        <translation>%1：“从”必须小于“到”。</translation>
    </message>
    <message>
        <source>%1: a logarithmic range begins above 0.</source>
        <translation>%1：对数范围必须大于 0。</translation>
    </message>
    <message>
        <source>Give it a name.</source>
        <translation>请取一个名称。</translation>
    </message>
    <message>
        <source>Write the command that runs one trial, or choose a script.</source>
        <translation>请写出运行一个试验的命令，或选择脚本。</translation>
    </message>
    <message>
        <source>%1 stands here twice.</source>
        <translation>%1 出现了两次。</translation>
    </message>
    <message>
        <source>{%1} is in the command, but not in the search.</source>
        <translation>{%1} 在命令中，但不在搜索中。</translation>
    </message>
    <message>
        <source>Name the metric; a script that reports plain numbers reports &quot;default&quot;.</source>
        <translation>请指明指标；只报告数字的脚本报告的是 &quot;default&quot;。</translation>
    </message>
    <message>
        <source>It is no regular expression: %1.</source>
        <translation>这不是正则表达式：%1。</translation>
    </message>
    <message>
        <source>It needs a group called value, for example acc=(?P&lt;value&gt;[\d.]+)</source>
        <translation>需要一个名为 value 的组，例如 acc=(?P&lt;value&gt;[\d.]+)</translation>
    </message>
    <message>
        <source>Choose where it runs.</source>
        <translation>请选择运行地点。</translation>
    </message>
</context>
<context>
    <name>models::EventModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>Submitted, attempt %1.</source>
        <translation>已提交，第 %1 次尝试。</translation>
    </message>
    <message>
        <source>Submitted.</source>
        <translation>已提交。</translation>
    </message>
    <message>
        <source>Started.</source>
        <translation>已开始。</translation>
    </message>
    <message>
        <source>Started on %1.</source>
        <translation>在 %1 上开始。</translation>
    </message>
    <message>
        <source>Started on %1, GPU %2.</source>
        <translation>在 %1 的 GPU %2 上开始。</translation>
    </message>
    <message>
        <source>No contact: %1</source>
        <translation>失去联系：%1</translation>
    </message>
    <message>
        <source>Contact again.</source>
        <translation>恢复联系。</translation>
    </message>
    <message>
        <source>Succeeded, best %1.</source>
        <translation>成功，最佳 %1。</translation>
    </message>
    <message>
        <source>Succeeded.</source>
        <translation>成功。</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Stopped early.</source>
        <translation>已提前停止。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Created.</source>
        <translation>已创建。</translation>
    </message>
    <message>
        <source>Ended.</source>
        <translation>已结束。</translation>
    </message>
    <message>
        <source>Resumed.</source>
        <translation>已恢复。</translation>
    </message>
    <message>
        <source>Running.</source>
        <translation>运行中。</translation>
    </message>
    <message>
        <source>Paused: running trials go on, no new ones are placed.</source>
        <translation>已暂停：运行中的试验继续，不再安排新的。</translation>
    </message>
    <message>
        <source>Stopping.</source>
        <translation>正在停止。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Done. Best %1.</source>
        <translation>完成，最佳 %1。</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>完成。</translation>
    </message>
    <message>
        <source>Error: %1</source>
        <translation>错误：%1</translation>
    </message>
    <message>
        <source>Connecting.</source>
        <translation>正在连接。</translation>
    </message>
    <message>
        <source>Ready.</source>
        <translation>就绪。</translation>
    </message>
    <message>
        <source>Has a question: %1</source>
        <translation>有一个问题：%1</translation>
    </message>
    <message>
        <source>Silent. Its trials go on; nothing is stopped.</source>
        <translation>没有回应。其试验继续运行，什么都不会停止。</translation>
    </message>
    <message>
        <source>Drained: takes no new trials.</source>
        <translation>已排空：不接受新试验。</translation>
    </message>
    <message>
        <source>Removed.</source>
        <translation>已移除。</translation>
    </message>
    <message>
        <source>Check passed.</source>
        <translation>检查通过。</translation>
    </message>
    <message>
        <source>Check failed: %1</source>
        <translation>检查未通过：%1</translation>
    </message>
    <message>
        <source>Ready: %1</source>
        <translation>就绪：%1</translation>
    </message>
    <message>
        <source>Closed.</source>
        <translation>已关闭。</translation>
    </message>
</context>
<context>
    <name>models::ExperimentModel</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>models::FailureModel</name>
    <message numerus="yes">
        <source>%n machine(s)</source>
        <translation>
            <numerusform>%n 台机器</numerusform>
        </translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
</context>
<context>
    <name>models::FilterWords</name>
    <message>
        <source>Expected a word after !</source>
        <translation>! 后面应有一个词</translation>
    </message>
    <message>
        <source>Expected a name before %1</source>
        <translation>%1 前面应有名称</translation>
    </message>
    <message>
        <source>Expected a regular expression after %1</source>
        <translation>%1 后面应有正则表达式</translation>
    </message>
    <message>
        <source>%1 is no regular expression: %2</source>
        <translation>%1 不是正则表达式：%2</translation>
    </message>
    <message>
        <source>Expected a number after %1</source>
        <translation>%1 后面应有数字</translation>
    </message>
    <message>
        <source>Expected a value after %1:</source>
        <translation>%1: 后面应有值</translation>
    </message>
    <message>
        <source>There is no state %1</source>
        <translation>没有状态 %1</translation>
    </message>
    <message>
        <source>Expected a state after %1:</source>
        <translation>%1: 后面应有状态</translation>
    </message>
    <message>
        <source>Expected a number on each side of ..</source>
        <translation>.. 两边都应有数字</translation>
    </message>
</context>
<context>
    <name>models::Format</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1前</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 h %2</source>
        <translation>%1 小时 %2</translation>
    </message>
</context>
<context>
    <name>models::MachineCells</name>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>you</source>
        <translation>您</translation>
    </message>
    <message>
        <source>service</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>someone</source>
        <translation>他人</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>%1, GPU %2</source>
        <translation>%1，GPU %2</translation>
    </message>
    <message>
        <source>trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>trials %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>used by %1, not by us</source>
        <translation>由 %1 使用，不是我们的</translation>
    </message>
    <message>
        <source>reserved, no trial is placed</source>
        <translation>已预留，不安排试验</translation>
    </message>
    <message>
        <source>reserved (%1), no trial is placed</source>
        <translation>已预留（%1），不安排试验</translation>
    </message>
    <message>
        <source>held by another service</source>
        <translation>由另一个服务占用</translation>
    </message>
    <message>
        <source>silent; last known: %1</source>
        <translation>没有回应；最后已知：%1</translation>
    </message>
    <message>
        <source>%1: %2; use %3 %, memory %4 %</source>
        <translation>%1：%2；使用率 %3 %，显存 %4 %</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>没有 GPU</translation>
    </message>
    <message numerus="yes">
        <source>%n GPUs of several models</source>
        <translation>
            <numerusform>%n 个不同型号的 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 GiB</source>
        <translation>，%1 GiB</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>models::MachineInquiry</name>
    <message>
        <source>There are no machines to ask.</source>
        <translation>没有可询问的机器。</translation>
    </message>
    <message numerus="yes">
        <source>%n machine(s) answered.</source>
        <translation>
            <numerusform>%n 台机器已回应。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 machines answered.</source>
        <translation>%2 台机器中有 %1 台已回应。</translation>
    </message>
</context>
<context>
    <name>models::MachineModel</name>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk free</source>
        <translation>可用磁盘</translation>
    </message>
    <message>
        <source>Last contact</source>
        <translation>最后联系</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>GPU use</source>
        <translation>GPU 使用率</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>型号</translation>
    </message>
    <message>
        <source>%1 GPUs: %2 ours, %3 of others, %4 free</source>
        <translation>%1 个 GPU：我方 %2，他人 %3，空闲 %4</translation>
    </message>
</context>
<context>
    <name>models::NniMachines</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is too long for an experiment&apos;s file.</source>
        <translation>%1 太长，不是实验文件。</translation>
    </message>
    <message>
        <source>%1 names no machines: its platform is %2. Choose a file whose platform is remote.</source>
        <translation>%1 没有列出机器：其平台为 %2。请选择平台为 remote 的文件。</translation>
    </message>
</context>
<context>
    <name>models::PlanRun</name>
    <message>
        <source>The code is being packed.</source>
        <translation>正在打包代码。</translation>
    </message>
    <message>
        <source>The code is being sent: %1 of %2</source>
        <translation>正在发送代码：%1 / %2</translation>
    </message>
    <message>
        <source>The code was not sent</source>
        <translation>代码未能发送</translation>
    </message>
    <message>
        <source>The platform that the file describes</source>
        <translation>文件所描述的平台</translation>
    </message>
    <message>
        <source>The experiment is being created.</source>
        <translation>正在创建实验。</translation>
    </message>
</context>
<context>
    <name>models::PlanWords</name>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n 小时</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n 秒</numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>%1, in place</source>
        <translation>%1，就地使用</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>解释器</translation>
    </message>
    <message>
        <source>GPUs a trial</source>
        <translation>每个试验的 GPU</translation>
    </message>
    <message>
        <source>not said: it sees all</source>
        <translation>未指定：可见全部</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>同时运行</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Ends after</source>
        <translation>结束于</translation>
    </message>
    <message>
        <source>A trial ends after</source>
        <translation>试验最长</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>the greatest %1</source>
        <translation>%1 最大</translation>
    </message>
    <message>
        <source>the least %1</source>
        <translation>%1 最小</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>trials come from outside</source>
        <translation>试验来自外部</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>%1, sent to the service</source>
        <translation>%1，发送到服务</translation>
    </message>
</context>
<context>
    <name>models::QueueModel</name>
    <message>
        <source>no GPU of its own</source>
        <translation>不独占 GPU</translation>
    </message>
    <message>
        <source>CPU only</source>
        <translation>仅 CPU</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n 个 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Submitted</source>
        <translation>提交时间</translation>
    </message>
    <message>
        <source>Why it waits</source>
        <translation>等待原因</translation>
    </message>
    <message>
        <source>Held by you.</source>
        <translation>由您暂缓。</translation>
    </message>
</context>
<context>
    <name>models::SidebarModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>失败分析</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Platforms</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Early stopped</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation>已存筛选</translation>
    </message>
    <message>
        <source>Services</source>
        <translation>服务</translation>
    </message>
</context>
<context>
    <name>models::TableWords</name>
    <message>
        <source>%1 is needed.</source>
        <translation>需要填写%1。</translation>
    </message>
    <message>
        <source>%1 must be a whole number.</source>
        <translation>%1必须是整数。</translation>
    </message>
    <message>
        <source>%1 must be at least %2.</source>
        <translation>%1至少为 %2。</translation>
    </message>
    <message>
        <source>%1 must be one of: %2.</source>
        <translation>%1必须是以下之一：%2。</translation>
    </message>
    <message>
        <source>%1 stands here twice.</source>
        <translation>%1 重复出现。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>models::TerminalCommand</name>
    <message>
        <source>%1 is not given to the program ssh: a shell could take it for more than a name.</source>
        <translation>%1 不会交给 ssh 程序：shell 可能不只把它当作名称。</translation>
    </message>
    <message>
        <source>This kind of platform gives no shell on its machines.</source>
        <translation>此类平台的机器不提供 shell。</translation>
    </message>
    <message>
        <source>The service runs on another computer, %1.</source>
        <translation>服务运行在另一台计算机 %1 上。</translation>
    </message>
    <message>
        <source>No terminal program was found. Install one, for example gnome-terminal or xterm.</source>
        <translation>未找到终端程序。请安装一个，例如 gnome-terminal 或 xterm。</translation>
    </message>
    <message>
        <source>There is no program ssh on this computer.</source>
        <translation>本机没有 ssh 程序。</translation>
    </message>
</context>
<context>
    <name>models::TrialCell</name>
    <message>
        <source>not a number</source>
        <translation>不是数字</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n 个值</numerusform>
        </translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Ran</source>
        <translation>运行时长</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>等待时长</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值数</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Submitted</source>
        <translation>提交时间</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Last contact</source>
        <translation>最后联系</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>Client id</source>
        <translation>客户端 ID</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
</context>
<context>
    <name>models::TrialModel</name>
    <message>
        <source>Best %1 so far</source>
        <translation>目前最佳 %1</translation>
    </message>
</context>
<context>
    <name>models::TrialSentence</name>
    <message>
        <source>, on %1</source>
        <translation>，在 %1 上</translation>
    </message>
    <message>
        <source>, on %1 GPU %2</source>
        <translation>，在 %1 GPU %2 上</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1，已 %2</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%1，历时 %2</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>，%1</translation>
    </message>
    <message>
        <source>Best so far &lt;b&gt;%1&lt;/b&gt;%2%3</source>
        <translation>目前最佳 &lt;b&gt;%1&lt;/b&gt;%2%3</translation>
    </message>
    <message>
        <source>Best &lt;b&gt;%1&lt;/b&gt;%2%3</source>
        <translation>最佳 &lt;b&gt;%1&lt;/b&gt;%2%3</translation>
    </message>
    <message>
        <source>Waits for %1</source>
        <translation>已等待 %1</translation>
    </message>
    <message>
        <source>No value was reported yet%1</source>
        <translation>还没有报告值%1</translation>
    </message>
    <message>
        <source>No value was reported%1</source>
        <translation>没有报告值%1</translation>
    </message>
    <message>
        <source>It is being cancelled.</source>
        <translation>正在取消。</translation>
    </message>
    <message>
        <source>Last %1 at step %2.</source>
        <translation>最近 %1，步 %2。</translation>
    </message>
    <message>
        <source>Last %1.</source>
        <translation>最近 %1。</translation>
    </message>
    <message>
        <source>Attempt %1.</source>
        <translation>第 %1 次尝试。</translation>
    </message>
    <message>
        <source>Last contact %1.</source>
        <translation>最后联系 %1。</translation>
    </message>
</context>
<context>
    <name>models::WhyWaiting</name>
    <message>
        <source>GPU %1: %2, %3</source>
        <translation>GPU %1：%2，%3</translation>
    </message>
    <message>
        <source>GPU %1 reserved by you</source>
        <translation>GPU %1 由您预留</translation>
    </message>
    <message>
        <source>GPU %1: another service</source>
        <translation>GPU %1：另一个服务</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s) run trials</source>
        <translation>
            <numerusform>%n 个 GPU 正在运行试验</numerusform>
        </translation>
    </message>
    <message>
        <source>You hold it back.</source>
        <translation>您让它暂缓。</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>放行</translation>
    </message>
    <message>
        <source>it takes its place in the queue</source>
        <translation>它回到队列中的位置</translation>
    </message>
    <message>
        <source>Resume the experiment</source>
        <translation>恢复实验</translation>
    </message>
    <message>
        <source>its trials are placed again</source>
        <translation>重新安排其试验</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Undrain %1</source>
        <translation>恢复 %1</translation>
    </message>
    <message>
        <source>it takes trials again</source>
        <translation>它重新接受试验</translation>
    </message>
    <message>
        <source>Run %1 at once</source>
        <translation>同时运行 %1 个</translation>
    </message>
    <message>
        <source>now %1 at once</source>
        <translation>现在同时 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>Run on %n GPU(s)</source>
        <translation>
            <numerusform>用 %n 个 GPU 运行</numerusform>
        </translation>
    </message>
    <message>
        <source>once it is its turn, on %1</source>
        <translation>轮到它时，在 %1 上</translation>
    </message>
    <message>
        <source>starts now, on %1</source>
        <translation>立即开始，在 %1 上</translation>
    </message>
    <message>
        <source>Give back GPU %1</source>
        <translation>归还 GPU %1</translation>
    </message>
    <message>
        <source>reserved by you on %1</source>
        <translation>您在 %1 上预留的</translation>
    </message>
    <message>
        <source>Allow %1 trials a GPU</source>
        <translation>每个 GPU 允许 %1 个试验</translation>
    </message>
    <message>
        <source>starts beside another one</source>
        <translation>与另一个一起开始</translation>
    </message>
    <message>
        <source>Move to the front</source>
        <translation>移到最前</translation>
    </message>
    <message>
        <source>it is next</source>
        <translation>它是下一个</translation>
    </message>
    <message>
        <source>Move to the end</source>
        <translation>移到最后</translation>
    </message>
    <message>
        <source>others go first</source>
        <translation>其他的先行</translation>
    </message>
    <message>
        <source>no machine has more for it</source>
        <translation>没有机器能提供更多</translation>
    </message>
    <message>
        <source>has a question</source>
        <translation>有问题待回答</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>没有回应</translation>
    </message>
    <message>
        <source>drained</source>
        <translation>已排空</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>models::Words</name>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Early stopped</source>
        <translation>提前停止</translation>
    </message>
</context>
<context>
    <name>ui::ActionWords</name>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message numerus="yes">
        <source>%n other(s) are not concerned.</source>
        <translation>
            <numerusform>其余 %n 个不涉及。</numerusform>
        </translation>
    </message>
    <message>
        <source>Trial %1 will be cancelled in %2 s</source>
        <translation>试验 %1 将在 %2 秒后取消</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) will be cancelled in %1 s</source>
        <translation>
            <numerusform>%n 个试验将在 %1 秒后取消</numerusform>
        </translation>
    </message>
    <message>
        <source>Trial %1 will be retried in %2 s</source>
        <translation>试验 %1 将在 %2 秒后重试</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) will be retried in %1 s</source>
        <translation>
            <numerusform>%n 个试验将在 %1 秒后重试</numerusform>
        </translation>
    </message>
    <message>
        <source>No trial is selected.</source>
        <translation>没有选中试验。</translation>
    </message>
    <message>
        <source>None of these trials can be cancelled: they have ended.</source>
        <translation>这些试验都不能取消：它们已经结束。</translation>
    </message>
    <message numerus="yes">
        <source>Cancel %n trial(s)</source>
        <translation>
            <numerusform>取消 %n 个试验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cancel %n trial(s)?</source>
        <translation>
            <numerusform>取消 %n 个试验？</numerusform>
        </translation>
    </message>
    <message>
        <source>None of these trials can be retried: they have not ended.</source>
        <translation>这些试验都不能重试：它们还没有结束。</translation>
    </message>
    <message numerus="yes">
        <source>Retry %n trial(s)</source>
        <translation>
            <numerusform>重试 %n 个试验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry %n trial(s)?</source>
        <translation>
            <numerusform>重试 %n 个试验？</numerusform>
        </translation>
    </message>
    <message>
        <source>Each runs again with its parameters, as another attempt: %1.</source>
        <translation>每个都以原参数再运行一次，作为新的尝试：%1。</translation>
    </message>
    <message>
        <source>where they were</source>
        <translation>原处</translation>
    </message>
    <message>
        <source>as before</source>
        <translation>与之前相同</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>GPUs a trial</source>
        <translation>每个试验的 GPU</translation>
    </message>
    <message numerus="yes">
        <source>Give up %n trial(s) whose machine does not answer: they end here at once, and there once it answers</source>
        <translation>
            <numerusform>放弃机器无响应的 %n 个试验：它们在此立即结束，待机器响应后在那里结束</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::AddMachines</name>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Back to the machines</source>
        <translation>返回机器列表</translation>
    </message>
    <message>
        <source>Add machines</source>
        <translation>添加机器</translation>
    </message>
    <message>
        <source>to the platform</source>
        <translation>到平台</translation>
    </message>
    <message>
        <source>Platform that gets the machines</source>
        <translation>接收机器的平台</translation>
    </message>
    <message>
        <source>One that is there, or the name of a new one</source>
        <translation>已有的平台，或新平台的名称</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>from ~/.ssh/config</source>
        <translation>来自 ~/.ssh/config</translation>
    </message>
    <message>
        <source>Filter hosts</source>
        <translation>筛选主机</translation>
    </message>
    <message>
        <source>Others, one a line</source>
        <translation>其他机器，每行一个</translation>
    </message>
    <message>
        <source>user@host:port</source>
        <translation>user@host:port</translation>
    </message>
    <message>
        <source>Addresses of other machines, one a line</source>
        <translation>其他机器的地址，每行一个</translation>
    </message>
    <message>
        <source>Check these</source>
        <translation>检查这些</translation>
    </message>
    <message>
        <source>Keys, agent and jump hosts come from your own SSH settings. They are only read.</source>
        <translation>密钥、代理和跳板机取自您自己的 SSH 设置，只读取，不修改。</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>read-only, then a one-second test trial</source>
        <translation>只读检查，然后是一秒钟的测试试验</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Checks every ticked host again</source>
        <translation>重新检查所有勾选的主机</translation>
    </message>
    <message>
        <source>Tick hosts to check them: the login, the host key, disk, GPUs, Python, and whether a trial runs. Nothing is installed but a small program in your home folder there.</source>
        <translation>勾选主机即可检查：登录、主机密钥、磁盘、GPU、Python，以及试验能否运行。除了在那里您的主目录中放一个小程序外，不安装任何东西。</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>复制日志</translation>
    </message>
    <message>
        <source>Log of the test trial</source>
        <translation>测试试验的日志</translation>
    </message>
    <message>
        <source>What was found, and questions</source>
        <translation>检查结果和问题</translation>
    </message>
    <message numerus="yes">
        <source>%n chosen</source>
        <translation>
            <numerusform>已选 %n 台</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ready</source>
        <translation>
            <numerusform>%n 台就绪</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n being checked</source>
        <translation>
            <numerusform>%n 台检查中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add %n ready machine(s)</source>
        <translation>
            <numerusform>添加 %n 台就绪的机器</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading ~/.ssh/config …</source>
        <translation>正在读取 ~/.ssh/config …</translation>
    </message>
    <message>
        <source>~/.ssh/config names no host. Type an address below.</source>
        <translation>~/.ssh/config 中没有主机。请在下面输入地址。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message numerus="yes">
        <source>%n more question(s)</source>
        <translation>
            <numerusform>还有 %n 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Test trial on %1</source>
        <translation>%1 上的测试试验</translation>
    </message>
    <message>
        <source>The platform needs a name.</source>
        <translation>平台需要一个名称。</translation>
    </message>
    <message numerus="yes">
        <source>%n machine(s) added to %1.</source>
        <translation>
            <numerusform>已将 %n 台机器添加到 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>From a file …</source>
        <translation>从文件…</translation>
    </message>
    <message>
        <source>Lists the machines of an experiment&apos;s file of NNI, with their users, ports and keys</source>
        <translation>列出 NNI 实验文件中的机器及其用户、端口和密钥</translation>
    </message>
    <message>
        <source>Machines of an experiment&apos;s file</source>
        <translation>实验文件中的机器</translation>
    </message>
    <message>
        <source>Experiment files (*.yml *.yaml *.json)</source>
        <translation>实验文件 (*.yml *.yaml *.json)</translation>
    </message>
    <message numerus="yes">
        <source>%n machine(s) of %1 are listed: tick them to check them.</source>
        <translation>
            <numerusform>已列出 %1 中的 %n 台机器：勾选后即检查。</numerusform>
        </translation>
    </message>
    <message>
        <source>All machines of %1 are listed already.</source>
        <translation>%1 中的机器都已列出。</translation>
    </message>
</context>
<context>
    <name>ui::Axis</name>
    <message>
        <source>%1 d</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
<context>
    <name>ui::Banner</name>
    <message>
        <source>Notice</source>
        <translation>提示</translation>
    </message>
</context>
<context>
    <name>ui::BestCard</name>
    <message>
        <source>Best so far</source>
        <translation>目前最佳</translation>
    </message>
    <message>
        <source>by trial</source>
        <translation>按试验</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, trial %2</source>
        <translation>%1，试验 %2</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Best so far by trial</source>
        <translation>目前最佳（按试验）</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>试验</translation>
    </message>
</context>
<context>
    <name>ui::BestChart</name>
    <message>
        <source>Objective by trial</source>
        <translation>各试验的目标值</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) with a value, best %1 by trial %2</source>
        <translation>
            <numerusform>%n 个试验有值，最佳 %1，来自试验 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>No value yet. The first one appears as soon as a trial reports it.</source>
        <translation>还没有值。试验一报告，第一个值就会出现。</translation>
    </message>
    <message>
        <source>%1, trial %2</source>
        <translation>%1，试验 %2</translation>
    </message>
    <message>
        <source>Trial %1: %2</source>
        <translation>试验 %1：%2</translation>
    </message>
</context>
<context>
    <name>ui::ChartCard</name>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, the best</source>
        <translation>%1，最佳</translation>
    </message>
</context>
<context>
    <name>ui::ChartsPage</name>
    <message>
        <source>No curves yet</source>
        <translation>还没有曲线</translation>
    </message>
    <message>
        <source>Curves, the best so far and parameters against results appear here as trials report values.</source>
        <translation>试验报告数值后，这里会显示曲线、目前最佳以及参数与结果的关系。</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Curves as picture…</source>
        <translation>曲线存为图片…</translation>
    </message>
    <message>
        <source>Curves as table…</source>
        <translation>曲线存为表格…</translation>
    </message>
    <message>
        <source>Best so far as picture…</source>
        <translation>目前最佳存为图片…</translation>
    </message>
    <message>
        <source>Best so far as table…</source>
        <translation>目前最佳存为表格…</translation>
    </message>
    <message>
        <source>Parallel coordinates as picture…</source>
        <translation>平行坐标存为图片…</translation>
    </message>
    <message>
        <source>Scatter as picture…</source>
        <translation>散点图存为图片…</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Picture (*.svg *.png)</source>
        <translation>图片 (*.svg *.png)</translation>
    </message>
    <message>
        <source>Compare the selection</source>
        <translation>比较所选</translation>
    </message>
    <message>
        <source>Arrows on an axis</source>
        <translation>轴上的方向键</translation>
    </message>
    <message>
        <source>Choose and move a range; Shift changes its end; Delete lets go</source>
        <translation>选择并移动范围；Shift 改变端点；Delete 放弃</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Scatter as table…</source>
        <translation>散点图存为表格…</translation>
    </message>
    <message>
        <source>Parallel coordinates as table…</source>
        <translation>平行坐标存为表格…</translation>
    </message>
</context>
<context>
    <name>ui::CheckDelegate</name>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
</context>
<context>
    <name>ui::CheckList</name>
    <message>
        <source>Results of the check</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Checking …</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Check passed</source>
        <translation>检查通过</translation>
    </message>
    <message>
        <source>Check failed</source>
        <translation>检查未通过</translation>
    </message>
    <message numerus="yes">
        <source>Check passed, %n warning(s)</source>
        <translation>
            <numerusform>检查通过，%n 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 good</source>
        <translation>%1 项正常</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>ui::ClusterQueues</name>
    <message>
        <source>Partitions and queues</source>
        <translation>分区与队列</translation>
    </message>
</context>
<context>
    <name>ui::ColumnChooser</name>
    <message>
        <source>Find a column</source>
        <translation>查找列</translation>
    </message>
    <message>
        <source>Columns of this experiment</source>
        <translation>此实验的列</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Drag a column, or press Alt+Up and Alt+Down, to move it.</source>
        <translation>拖动列，或按 Alt+Up、Alt+Down 移动它。</translation>
    </message>
    <message>
        <source>All parameters</source>
        <translation>所有参数</translation>
    </message>
    <message>
        <source>No parameters</source>
        <translation>不显示参数</translation>
    </message>
    <message>
        <source>Usual columns</source>
        <translation>常用列</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1 (parameter)</source>
        <translation>%1（参数）</translation>
    </message>
</context>
<context>
    <name>ui::CommandFields</name>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>解释器</translation>
    </message>
    <message>
        <source>The one that the command finds</source>
        <translation>命令所找到的</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>A training script, of any language</source>
        <translation>任何语言的训练脚本</translation>
    </message>
    <message>
        <source>Command of a trial</source>
        <translation>试验的命令</translation>
    </message>
    <message>
        <source>{name} becomes the value of that parameter, {args} all of them as --name value.</source>
        <translation>{name} 变为该参数的值，{args} 变为全部参数（--name value）。</translation>
    </message>
    <message numerus="yes">
        <source>%n parameter(s) in the command. {name} becomes the value.</source>
        <translation>
            <numerusform>命令中有 %n 个参数。{name} 变为其值。</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a training script</source>
        <translation>选择训练脚本</translation>
    </message>
    <message>
        <source>Scripts (*.py *.sh *.R *.jl *.js *.pl);;All files (*)</source>
        <translation>脚本 (*.py *.sh *.R *.jl *.js *.pl);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
</context>
<context>
    <name>ui::CommandPalette</name>
    <message>
        <source>Go to, or do</source>
        <translation>前往或执行</translation>
    </message>
    <message>
        <source>An action, a page, a trial&apos;s number, a machine, an experiment</source>
        <translation>操作、页面、试验编号、机器或实验</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>匹配项</translation>
    </message>
</context>
<context>
    <name>ui::CompareDialog</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Best %1</source>
        <translation>最佳 %1 个</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The best %1 of %2 selected</source>
        <translation>所选 %2 个中最佳的 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>Compare %n trial(s)</source>
        <translation>
            <numerusform>比较 %n 个试验</numerusform>
        </translation>
    </message>
    <message>
        <source>The best %1 of %2</source>
        <translation>%2 个中最佳的 %1 个</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n the same</source>
        <translation>
            <numerusform>另有 %n 项相同</numerusform>
        </translation>
    </message>
    <message>
        <source>Select two or more trials to compare them.</source>
        <translation>请选择两个或更多试验进行比较。</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Trial %1, baseline</source>
        <translation>试验 %1，基准</translation>
    </message>
    <message>
        <source>Press to make it the baseline</source>
        <translation>点击将其设为基准</translation>
    </message>
</context>
<context>
    <name>ui::CopyTrialDialog</name>
    <message>
        <source>Copy trial %1</source>
        <translation>复制试验 %1</translation>
    </message>
    <message>
        <source>Copy trial %1 with edits</source>
        <translation>复制并修改试验 %1</translation>
    </message>
    <message>
        <source>It becomes a new trial of the same experiment.</source>
        <translation>它将成为同一实验的新试验。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>as the experiment</source>
        <translation>与实验相同</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run this trial</source>
        <translation>运行此试验</translation>
    </message>
    <message>
        <source>%1 has no value.</source>
        <translation>%1 没有值。</translation>
    </message>
</context>
<context>
    <name>ui::Counts</name>
    <message>
        <source>%1 succeeded</source>
        <translation>%1 成功</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 运行中</translation>
    </message>
    <message>
        <source>%1 unknown</source>
        <translation>%1 未知</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 失败</translation>
    </message>
    <message>
        <source>%1 cancelled or stopped early</source>
        <translation>%1 已取消或提前停止</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 等待中</translation>
    </message>
</context>
<context>
    <name>ui::CurvesCard</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Log Y</source>
        <translation>对数 Y</translation>
    </message>
    <message>
        <source>Smooth 0</source>
        <translation>平滑 0</translation>
    </message>
    <message>
        <source>Smooth %1</source>
        <translation>平滑 %1</translation>
    </message>
    <message>
        <source>by step</source>
        <translation>按步</translation>
    </message>
    <message>
        <source>by time since the start</source>
        <translation>按开始后的时间</translation>
    </message>
    <message>
        <source>by clock</source>
        <translation>按时钟</translation>
    </message>
    <message>
        <source>each trial</source>
        <translation>每个试验</translation>
    </message>
    <message numerus="yes">
        <source>mean of %n, band min to max</source>
        <translation>
            <numerusform>%n 个的均值，带为最小到最大</numerusform>
        </translation>
    </message>
    <message>
        <source>All trials</source>
        <translation>全部试验</translation>
    </message>
    <message>
        <source>Load the curves of all trials, not only of the newest. It takes longer.</source>
        <translation>加载全部试验的曲线，而不只是最新的。需要更长时间。</translation>
    </message>
    <message>
        <source>10–90 %, 25–75 %</source>
        <translation>10–90 %、25–75 %</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Time since the start</source>
        <translation>自开始以来的时间</translation>
    </message>
    <message>
        <source>median, 10–90 %, 25–75 %</source>
        <translation>中位数，10–90 %，25–75 %</translation>
    </message>
</context>
<context>
    <name>ui::DurationBox</name>
    <message>
        <source>A time such as 90 s, 30 min, 1 h 30 min or 2 d.</source>
        <translation>时间，例如 90 s、30 min、1 h 30 min 或 2 d。</translation>
    </message>
</context>
<context>
    <name>ui::EventsPage</name>
    <message>
        <source>Filter, for example failed !demo</source>
        <translation>筛选，例如 failed !demo</translation>
    </message>
    <message>
        <source>Nothing has happened yet</source>
        <translation>还没有发生任何事</translation>
    </message>
    <message>
        <source>Trials, machines and platforms tell here what they do, in plain sentences.</source>
        <translation>试验、机器和平台在这里用简单的句子说明它们做了什么。</translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation>运行演示</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the trial or machine of the event</source>
        <translation>显示事件对应的试验或机器</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
</context>
<context>
    <name>ui::ExperimentsPage</name>
    <message>
        <source>No experiments yet</source>
        <translation>还没有实验</translation>
    </message>
    <message>
        <source>An experiment is a command, the parameters to try, and where to run. They are listed here with what they found.</source>
        <translation>实验由命令、要尝试的参数和运行地点组成。它们及其结果列在这里。</translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation>运行演示</translation>
    </message>
    <message>
        <source>The chosen experiment</source>
        <translation>所选实验</translation>
    </message>
    <message>
        <source>Close the inspector</source>
        <translation>关闭检查器</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Copy with edits</source>
        <translation>复制并修改</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>Change limits</source>
        <translation>更改限制</translation>
    </message>
    <message>
        <source>What it runs</source>
        <translation>运行内容</translation>
    </message>
    <message>
        <source>Clean up</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>Removes what is ours on the platform; history stays.</source>
        <translation>移除平台上属于我们的内容；历史保留。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Removes the experiment, its trials and their history.</source>
        <translation>移除实验、其试验及历史。</translation>
    </message>
    <message>
        <source>%1 of %2 trials ended</source>
        <translation>%2 个试验中已结束 %1 个</translation>
    </message>
    <message>
        <source>, best %1 by trial %2</source>
        <translation>，最佳 %1，来自试验 %2</translation>
    </message>
    <message>
        <source>, best %1</source>
        <translation>，最佳 %1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>code %1</source>
        <translation>代码 %1</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>在 %1 上</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s) a trial</source>
        <translation>
            <numerusform>每个试验 %n 个 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>maximize %1</source>
        <translation>最大化 %1</translation>
    </message>
    <message>
        <source>minimize %1</source>
        <translation>最小化 %1</translation>
    </message>
    <message>
        <source>search by %1</source>
        <translation>由 %1 搜索</translation>
    </message>
    <message>
        <source>id %1</source>
        <translation>ID %1</translation>
    </message>
    <message>
        <source>The limits hold from now on.</source>
        <translation>限制从现在起生效。</translation>
    </message>
    <message>
        <source>%1 stops in %2 s: %3 running and %4 waiting trials are cancelled</source>
        <translation>%1 将在 %2 秒后停止：取消 %3 个运行中和 %4 个等待中的试验</translation>
    </message>
    <message>
        <source>%1 and its trials are deleted in %2 s</source>
        <translation>%1 及其试验将在 %2 秒后删除</translation>
    </message>
    <message>
        <source>Show the trials of the experiment</source>
        <translation>显示实验的试验</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>%1 is cleaned up in %2 s: %3 trials are cancelled and all folders on the machines removed</source>
        <translation>%2 秒后清理 %1：取消 %3 个试验，并删除机器上的所有文件夹</translation>
    </message>
    <message>
        <source>%1 is cleaned up in %2 s: all folders on the machines are removed</source>
        <translation>%2 秒后清理 %1：删除机器上的所有文件夹</translation>
    </message>
</context>
<context>
    <name>ui::FailuresPage</name>
    <message>
        <source>Groups of failures</source>
        <translation>失败分组</translation>
    </message>
    <message>
        <source>Retry this group</source>
        <translation>重试此组</translation>
    </message>
    <message>
        <source>Show in the table</source>
        <translation>在表格中显示</translation>
    </message>
    <message>
        <source>Trials of this group</source>
        <translation>此组的试验</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Show all trials</source>
        <translation>显示所有试验</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>失败分析</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1，共 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) failed</source>
        <translation>
            <numerusform>%n 个试验失败</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cause(s)</source>
        <translation>
            <numerusform>%n 个原因</numerusform>
        </translation>
    </message>
    <message>
        <source>One experiment at a time</source>
        <translation>一次一个实验</translation>
    </message>
    <message>
        <source>Choose an experiment above to see why its trials failed.</source>
        <translation>请在上方选择实验，查看其试验为何失败。</translation>
    </message>
    <message>
        <source>The failures could not be read</source>
        <translation>无法读取失败信息</translation>
    </message>
    <message>
        <source>Nothing failed</source>
        <translation>没有失败</translation>
    </message>
    <message>
        <source>Failed trials are gathered here by their cause.</source>
        <translation>失败的试验按原因汇集在这里。</translation>
    </message>
    <message numerus="yes">
        <source>Retry %n trial(s)</source>
        <translation>
            <numerusform>重试 %n 个试验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n 个试验</numerusform>
        </translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>在 %1 上</translation>
    </message>
    <message>
        <source>first %1</source>
        <translation>首次 %1</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Open a trial in the inspector</source>
        <translation>在检查器中打开试验</translation>
    </message>
    <message>
        <source>Loading …</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>The failures of this experiment are on their way from the service.</source>
        <translation>正在从服务读取这个实验的失败。</translation>
    </message>
</context>
<context>
    <name>ui::FindingCard</name>
    <message>
        <source>Check again</source>
        <translation>再次检查</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2：%1</translation>
    </message>
    <message>
        <source>Remedy</source>
        <translation>补救办法</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>不添加</translation>
    </message>
    <message>
        <source>Add it anyway</source>
        <translation>仍然添加</translation>
    </message>
</context>
<context>
    <name>ui::FirstRun</name>
    <message>
        <source>window closed</source>
        <translation>窗口已关闭</translation>
    </message>
    <message>
        <source>This computer is ready</source>
        <translation>本机已就绪</translation>
    </message>
    <message>
        <source>No account, nothing is sent anywhere. Each card can be skipped; the list stays in Help, Getting started.</source>
        <translation>不需要帐户，不向任何地方发送数据。每张卡片都可以跳过；列表保留在“帮助 &gt; 入门”。</translation>
    </message>
    <message>
        <source>Run a demo</source>
        <translation>运行演示</translation>
    </message>
    <message>
        <source>20 small trials on the CPU with live curves. One fails on purpose.</source>
        <translation>在 CPU 上运行 20 个小试验，曲线实时更新。其中一个故意失败。</translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation>运行演示</translation>
    </message>
    <message>
        <source>About 30 seconds</source>
        <translation>约 30 秒</translation>
    </message>
    <message>
        <source>Add machines</source>
        <translation>添加机器</translation>
    </message>
    <message>
        <source>Tell where trials may run besides this computer. Settings are checked step by step.</source>
        <translation>指明除本机外试验还可以在哪里运行。设置会逐步检查。</translation>
    </message>
    <message>
        <source>Needs a login and a shell, no root</source>
        <translation>需要登录和 shell，不需要 root</translation>
    </message>
    <message>
        <source>Bring your script</source>
        <translation>使用您的脚本</translation>
    </message>
    <message>
        <source>Choose a file. The command is proposed, and the line that reports a value is shown.</source>
        <translation>选择一个文件，会给出建议的命令和报告数值的那一行。</translation>
    </message>
    <message>
        <source>Choose a script</source>
        <translation>选择脚本</translation>
    </message>
    <message>
        <source>Or `trialdeck run` in its folder</source>
        <translation>或在其文件夹中执行 `trialdeck run`</translation>
    </message>
    <message>
        <source>Leave it running</source>
        <translation>让它继续运行</translation>
    </message>
    <message>
        <source>Close the window while trials wait: a service in the background goes on placing them.</source>
        <translation>试验等待时关闭窗口：后台服务会继续安排它们。</translation>
    </message>
    <message>
        <source>Pull the plug</source>
        <translation>拔掉插头</translation>
    </message>
    <message>
        <source>Kills a service of its own: nothing is lost</source>
        <translation>结束一个专用服务：没有任何丢失</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s), %1 of memory</source>
        <translation>
            <numerusform>%n 核，内存 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 核</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of disk free</source>
        <translation>磁盘可用 %1</translation>
    </message>
    <message>
        <source>Open an NNI file</source>
        <translation>打开 NNI 文件</translation>
    </message>
    <message>
        <source>Install the service</source>
        <translation>安装服务</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>ui::GiveUpDialog</name>
    <message>
        <source>Folders stay on %1; they are removed once it answers.</source>
        <translation>文件夹仍留在 %1 上；待其响应后即移除。</translation>
    </message>
    <message>
        <source>Machines that do not answer</source>
        <translation>无响应的机器</translation>
    </message>
    <message>
        <source>Go on without machines that do not answer?</source>
        <translation>不等无响应的机器，继续进行？</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n trial(s)</source>
        <translation>
            <numerusform>%1：%n 个试验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Give up what is there</source>
        <translation>放弃那里的内容</translation>
    </message>
    <message>
        <source>Trials that have not ended there end here at once as cancelled. They may run on there until the machine answers again: then they are ended there, too. Or wait until it is back.</source>
        <translation>那里尚未结束的试验在此立即以“已取消”结束。在机器重新响应之前，它们可能仍在那里运行；机器响应后也会在那里结束。也可以等机器恢复。</translation>
    </message>
    <message>
        <source>Trials that have not ended there end here at once as cancelled. They may run on there until the machine answers again: then they are ended there, too, and the folders removed. Or wait until it is back.</source>
        <translation>那里尚未结束的试验在此立即以“已取消”结束。在机器重新响应之前，它们可能仍在那里运行；机器响应后也会在那里结束，并移除其文件夹。也可以等机器恢复。</translation>
    </message>
</context>
<context>
    <name>ui::GpuCell</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>ui::GpuStrip</name>
    <message>
        <source>Fleet: one column a GPU</source>
        <translation>机群：每个 GPU 一列</translation>
    </message>
    <message>
        <source>; CPU %1 %</source>
        <translation>；CPU %1 %</translation>
    </message>
    <message>
        <source>free %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>silent %1</source>
        <translation>无回应 %1</translation>
    </message>
    <message>
        <source>reserved %1</source>
        <translation>预留 %1</translation>
    </message>
    <message>
        <source>others %1</source>
        <translation>他人 %1</translation>
    </message>
    <message>
        <source>ours %1</source>
        <translation>我们的 %1</translation>
    </message>
    <message>
        <source>Fleet</source>
        <translation>机群</translation>
    </message>
    <message>
        <source>no machine yet</source>
        <translation>还没有机器</translation>
    </message>
    <message>
        <source>CPU trials only</source>
        <translation>仅 CPU 试验</translation>
    </message>
    <message>
        <source>%1 of %2 GPUs ours</source>
        <translation>%2 个 GPU 中 %1 个在用</translation>
    </message>
</context>
<context>
    <name>ui::GpuUsageChart</name>
    <message>
        <source>ours %1, others %2, free %3</source>
        <translation>我们的 %1，他人的 %2，空闲 %3</translation>
    </message>
    <message>
        <source>, reserved %1</source>
        <translation>，保留 %1</translation>
    </message>
    <message>
        <source>, silent %1</source>
        <translation>，没有回应 %1</translation>
    </message>
    <message>
        <source>GPUs in use</source>
        <translation>使用中的 GPU</translation>
    </message>
    <message numerus="yes">
        <source>last %n minute(s)</source>
        <translation>
            <numerusform>最近 %n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>last %n hour(s)</source>
        <translation>
            <numerusform>最近 %n 小时</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, of %2</source>
        <translation>%1，共 %2 个</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>没有回应</translation>
    </message>
    <message>
        <source>others</source>
        <translation>他人的</translation>
    </message>
    <message>
        <source>ours</source>
        <translation>我们的</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>ui::GuideBrowser</name>
    <message>
        <source>Page of the guide</source>
        <translation>指南的页面</translation>
    </message>
    <message>
        <source>Copy this block</source>
        <translation>复制此代码块</translation>
    </message>
    <message>
        <source>Copy %1</source>
        <translation>复制 %1</translation>
    </message>
</context>
<context>
    <name>ui::GuideResults</name>
    <message>
        <source>What was found in the guide</source>
        <translation>在指南中找到的内容</translation>
    </message>
</context>
<context>
    <name>ui::GuideWindow</name>
    <message>
        <source>Guide – Trialdeck</source>
        <translation>指南 – Trialdeck</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Back (%1)</source>
        <translation>后退 (%1)</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Forward (%1)</source>
        <translation>前进 (%1)</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>在指南中搜索</translation>
    </message>
    <message>
        <source>All words must be there (%1)</source>
        <translation>须包含所有词 (%1)</translation>
    </message>
    <message>
        <source>Pages of the guide</source>
        <translation>指南的各页</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>关闭此提示</translation>
    </message>
    <message>
        <source>%1 – Guide – Trialdeck</source>
        <translation>%1 – 指南 – Trialdeck</translation>
    </message>
    <message>
        <source>This link leads nowhere: %1</source>
        <translation>此链接没有目标：%1</translation>
    </message>
    <message>
        <source>%1 is not a page of the guide. It is in the sources of Trialdeck.</source>
        <translation>%1 不是指南的页面，它在 Trialdeck 的源代码中。</translation>
    </message>
    <message>
        <source>%1 is not a page of the guide. It is on this computer: %2</source>
        <translation>%1 不是指南的页面，它在本机上：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>The guide does not have “%1”.</source>
        <translation>指南中没有“%1”。</translation>
    </message>
    <message>
        <source>No part of the guide has all of these words. Try fewer.</source>
        <translation>指南中没有同时包含这些词的段落。请减少几个词。</translation>
    </message>
</context>
<context>
    <name>ui::HeatKey</name>
    <message>
        <source>Colours of %1: %2 to %3, by quantile</source>
        <translation>%1 的颜色：%2 至 %3，按分位数</translation>
    </message>
    <message>
        <source>Colours follow quantiles: each step holds the same share of the trials, so that an outlier does not flatten the others.</source>
        <translation>颜色按分位数划分：每一级所含试验数相同，个别离群值不会使其余的难以区分。</translation>
    </message>
    <message>
        <source>by quantile</source>
        <translation>按分位数</translation>
    </message>
</context>
<context>
    <name>ui::KeyCommand</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Go to, or do</source>
        <translation>前往或执行</translation>
    </message>
    <message>
        <source>Filter this page</source>
        <translation>筛选本页</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤消</translation>
    </message>
    <message>
        <source>Ask the machines now</source>
        <translation>立即询问机器</translation>
    </message>
</context>
<context>
    <name>ui::KeyEdit</name>
    <message>
        <source>Press a key</source>
        <translation>请按键</translation>
    </message>
</context>
<context>
    <name>ui::KeysDialog</name>
    <message>
        <source>Find an action, or a key</source>
        <translation>查找操作或按键</translation>
    </message>
    <message>
        <source>Usual key</source>
        <translation>默认按键</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>无按键</translation>
    </message>
    <message>
        <source>All usual keys</source>
        <translation>全部默认按键</translation>
    </message>
    <message>
        <source>Change keys</source>
        <translation>更改按键</translation>
    </message>
    <message>
        <source>The new key</source>
        <translation>新按键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>操作及其按键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Choose an action to change its key</source>
        <translation>选择一个操作以更改其按键</translation>
    </message>
    <message>
        <source>%1 is needed in lists and fields. Choose another key.</source>
        <translation>%1 在列表和输入框中另有用途，请选择其他按键。</translation>
    </message>
    <message>
        <source>%1 is the key of “%2”.</source>
        <translation>%1 已是“%2”的按键。</translation>
    </message>
    <message>
        <source>Use it here instead</source>
        <translation>改用于此处</translation>
    </message>
    <message>
        <source>Go back to the usual keys?</source>
        <translation>恢复默认按键？</translation>
    </message>
    <message>
        <source>Every action gets its usual key; your own keys are lost.</source>
        <translation>每个操作都将恢复默认按键，您自定义的按键会丢失。</translation>
    </message>
    <message>
        <source>Use the usual keys</source>
        <translation>使用默认按键</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
</context>
<context>
    <name>ui::KeysSheet</name>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Change keys</source>
        <translation>更改按键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ui::KindForm</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>%1: remove or keep the stored secret</source>
        <translation>%1：移除或保留已存的机密</translation>
    </message>
    <message>
        <source>%1 *</source>
        <translation>%1 *</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Show the choices</source>
        <translation>显示可选值</translation>
    </message>
    <message>
        <source>There is nothing to choose from.</source>
        <translation>没有可选的值。</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>可选值</translation>
    </message>
    <message>
        <source>removed when you save</source>
        <translation>保存时移除</translation>
    </message>
    <message>
        <source>kept as it is; type to replace it</source>
        <translation>保持不变；输入以替换</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Keeps the stored secret after all</source>
        <translation>仍保留已存的机密</translation>
    </message>
    <message>
        <source>Removes the stored secret when you save</source>
        <translation>保存时移除已存的机密</translation>
    </message>
    <message>
        <source>Add one</source>
        <translation>添加一个</translation>
    </message>
    <message>
        <source>Remove this one</source>
        <translation>移除这一个</translation>
    </message>
    <message>
        <source>This is needed.</source>
        <translation>此项必填。</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>更多设置</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>enter it again</source>
        <translation>请重新输入</translation>
    </message>
</context>
<context>
    <name>ui::LimitFields</name>
    <message>
        <source>At once</source>
        <translation>同时运行</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time a trial</source>
        <translation>每次试验时间</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>separated by commas</source>
        <translation>用逗号分隔</translation>
    </message>
</context>
<context>
    <name>ui::LogLines</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Nothing was written yet.</source>
        <translation>还没有写入内容。</translation>
    </message>
    <message>
        <source>Copy lines</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Copy with line numbers</source>
        <translation>连同行号复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>ui::LogView</name>
    <message>
        <source>Which log</source>
        <translation>哪个日志</translation>
    </message>
    <message>
        <source>Search in the log</source>
        <translation>在日志中搜索</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Words, or a regular expression as /regex/; Enter goes to the next</source>
        <translation>词，或写作 /regex/ 的正则表达式；Enter 跳到下一个</translation>
    </message>
    <message>
        <source>Go to the first error</source>
        <translation>跳到第一个错误</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>end of %1</source>
        <translation>%1 的末尾</translation>
    </message>
    <message>
        <source>Loading …</source>
        <translation>正在加载…</translation>
    </message>
</context>
<context>
    <name>ui::MachineBoxes</name>
    <message>
        <source>Machines and their GPUs</source>
        <translation>机器及其 GPU</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 核</numerusform>
        </translation>
    </message>
    <message>
        <source>Silent for %1</source>
        <translation>已 %1 没有回应</translation>
    </message>
    <message>
        <source>Last contact %1. Nothing is stopped.</source>
        <translation>最后联系 %1。什么都没有停止。</translation>
    </message>
    <message>
        <source>CPU %1 %</source>
        <translation>CPU %1 %</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>you</source>
        <translation>您</translation>
    </message>
    <message>
        <source>someone</source>
        <translation>他人</translation>
    </message>
    <message>
        <source>How to read a cell</source>
        <translation>如何读懂单元格</translation>
    </message>
    <message>
        <source>GPU index and use; who holds it: a trial number, a user, or you. The foot is memory, the height of the tint is use.</source>
        <translation>GPU 编号和使用率；占用者：试验编号、用户或您。底部是显存，底色高度是使用率。</translation>
    </message>
    <message>
        <source>Hatched: another user. It is avoided unless its platform says otherwise.</source>
        <translation>斜线：其他用户。除非平台另有设置，否则避开。</translation>
    </message>
    <message>
        <source>Padlock: reserved, no trial is placed.</source>
        <translation>挂锁：已预留，不安排试验。</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>What can be done with the machine</source>
        <translation>可对该机器执行的操作</translation>
    </message>
    <message>
        <source>What can be done with %1</source>
        <translation>可对 %1 执行的操作</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>No process on any GPU, and no trial.</source>
        <translation>没有 GPU 进程，也没有试验。</translation>
    </message>
    <message>
        <source>No trial runs here.</source>
        <translation>此处没有运行中的试验。</translation>
    </message>
</context>
<context>
    <name>ui::MachineMenu</name>
    <message>
        <source>Check again</source>
        <translation>再次检查</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Remove …</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Reserve GPUs</source>
        <translation>预留 GPU</translation>
    </message>
    <message>
        <source>GPU %1: %2</source>
        <translation>GPU %1：%2</translation>
    </message>
    <message>
        <source>Open a terminal</source>
        <translation>打开终端</translation>
    </message>
    <message>
        <source>Open a terminal: %1</source>
        <translation>打开终端：%1</translation>
    </message>
    <message>
        <source>%1 could not be started.</source>
        <translation>无法启动 %1。</translation>
    </message>
    <message>
        <source>Accept trials again</source>
        <translation>重新接受试验</translation>
    </message>
    <message>
        <source>Drain</source>
        <translation>排空</translation>
    </message>
    <message>
        <source>Give back GPU %1</source>
        <translation>归还 GPU %1</translation>
    </message>
    <message>
        <source>Reserve GPU %1</source>
        <translation>预留 GPU %1</translation>
    </message>
    <message>
        <source>It takes trials again</source>
        <translation>它重新接受试验</translation>
    </message>
    <message>
        <source>No new trials; running ones go on</source>
        <translation>不接受新试验；运行中的继续</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Drain, or accept trials again</source>
        <translation>排空，或重新接受试验</translation>
    </message>
</context>
<context>
    <name>ui::MachineTable</name>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
</context>
<context>
    <name>ui::MachinesPage</name>
    <message>
        <source>Filter, for example free&gt;0</source>
        <translation>筛选，例如 free&gt;0</translation>
    </message>
    <message>
        <source>No machines</source>
        <translation>没有机器</translation>
    </message>
    <message>
        <source>Machines of your platforms are shown here: every GPU, who holds it, and how busy it is.</source>
        <translation>这里显示各平台的机器：每个 GPU、由谁占用、有多忙。</translation>
    </message>
    <message>
        <source>Boxes</source>
        <translation>方框</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Ask now</source>
        <translation>立即询问</translation>
    </message>
    <message>
        <source>Add machines</source>
        <translation>添加机器</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>The chosen machine</source>
        <translation>所选机器</translation>
    </message>
    <message>
        <source>Close the inspector</source>
        <translation>关闭检查器</translation>
    </message>
    <message>
        <source>Drain</source>
        <translation>排空</translation>
    </message>
    <message>
        <source>Reserve GPU</source>
        <translation>预留 GPU</translation>
    </message>
    <message>
        <source>Address %1, platform %2</source>
        <translation>地址 %1，平台 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 核</numerusform>
        </translation>
    </message>
    <message>
        <source>load %1</source>
        <translation>负载 %1</translation>
    </message>
    <message>
        <source>%1 of disk free</source>
        <translation>磁盘可用 %1</translation>
    </message>
    <message>
        <source>Last contact %1</source>
        <translation>最后联系 %1</translation>
    </message>
    <message>
        <source>Choose a GPU to reserve it or to give it back.</source>
        <translation>选择一个 GPU 以预留或归还。</translation>
    </message>
    <message>
        <source>Machines, and the GPUs of one</source>
        <translation>机器，以及一台机器的 GPU</translation>
    </message>
    <message>
        <source>Open the machine, or show the GPU&apos;s trial</source>
        <translation>展开机器，或显示 GPU 上的试验</translation>
    </message>
    <message>
        <source>Reserve the GPU, or give it back</source>
        <translation>预留或归还 GPU</translation>
    </message>
    <message>
        <source>Machine doctor</source>
        <translation>机器诊断</translation>
    </message>
    <message>
        <source>The chosen machine, or the queue</source>
        <translation>所选机器，或队列</translation>
    </message>
    <message>
        <source>%1 of %2 answered</source>
        <translation>%2 台中 %1 台已回应</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>再次检查</translation>
    </message>
    <message>
        <source>What can be done with the machine</source>
        <translation>可对该机器执行的操作</translation>
    </message>
    <message>
        <source>The cluster&apos;s own scheduler decides what runs here.</source>
        <translation>这里运行什么由集群自己的调度器决定。</translation>
    </message>
    <message>
        <source>Asks every machine at once</source>
        <translation>立即询问所有机器</translation>
    </message>
    <message>
        <source>Runs the doctor</source>
        <translation>运行诊断</translation>
    </message>
</context>
<context>
    <name>ui::MainWindow</name>
    <message>
        <source>Trialdeck</source>
        <translation>Trialdeck</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>%1 – Trialdeck</source>
        <translation>%1 – Trialdeck</translation>
    </message>
    <message>
        <source>The filter “%1” is in the sidebar.</source>
        <translation>筛选“%1”已放入侧栏。</translation>
    </message>
    <message>
        <source>Service not reached for %1.</source>
        <translation>已 %1 无法连接服务。</translation>
    </message>
    <message>
        <source>Service not reached.</source>
        <translation>无法连接服务。</translation>
    </message>
    <message>
        <source>What you see is from %1. Trials go on.</source>
        <translation>您看到的是 %1 的数据。试验继续运行。</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>%1 has a question.</source>
        <translation>%1 有一个问题。</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>No notices</source>
        <translation>没有通知</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Trials</source>
        <translation>试验(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation>运行演示</translation>
    </message>
    <message>
        <source>Add a platform</source>
        <translation>添加平台</translation>
    </message>
    <message>
        <source>Close, and keep running in the background</source>
        <translation>关闭，并在后台继续运行</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Fold the sidebar</source>
        <translation>折叠侧栏</translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation>显示或隐藏检查器</translation>
    </message>
    <message>
        <source>Next region of the window</source>
        <translation>窗口的下一个区域</translation>
    </message>
    <message>
        <source>Previous region of the window</source>
        <translation>窗口的上一个区域</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Theme: as the system</source>
        <translation>主题：跟随系统</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>主题：浅色</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>主题：深色</translation>
    </message>
    <message>
        <source>Pause or resume placement</source>
        <translation>暂停或恢复安排</translation>
    </message>
    <message>
        <source>Why is it waiting?</source>
        <translation>为什么在等待？</translation>
    </message>
    <message>
        <source>There is nothing to undo.</source>
        <translation>没有可撤消的操作。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Pull the plug</source>
        <translation>拔掉插头</translation>
    </message>
    <message>
        <source>Getting started</source>
        <translation>入门</translation>
    </message>
    <message>
        <source>Open the data folder</source>
        <translation>打开数据文件夹</translation>
    </message>
    <message>
        <source>About Trialdeck</source>
        <translation>关于 Trialdeck</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>任何地方</translation>
    </message>
    <message>
        <source>experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>Open the window</source>
        <translation>打开窗口</translation>
    </message>
    <message>
        <source>Close the window, trials go on</source>
        <translation>关闭窗口，试验继续</translation>
    </message>
    <message>
        <source>Trialdeck: %1</source>
        <translation>Trialdeck：%1</translation>
    </message>
    <message>
        <source>Close Trialdeck</source>
        <translation>关闭 Trialdeck</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) wait for a place.</source>
        <translation>
            <numerusform>%n 个试验在等待位置。</numerusform>
        </translation>
    </message>
    <message>
        <source>A search is still running.</source>
        <translation>搜索仍在进行。</translation>
    </message>
    <message>
        <source>Running trials go on in any case. Without a service in the background nothing new is started until you open Trialdeck again.</source>
        <translation>运行中的试验无论如何都会继续。没有后台服务时，在您再次打开 Trialdeck 之前不会启动新的试验。</translation>
    </message>
    <message>
        <source>Keep running in the background</source>
        <translation>在后台继续运行</translation>
    </message>
    <message>
        <source>Stop placing</source>
        <translation>停止安排</translation>
    </message>
    <message>
        <source>Handing over to a service in the background.</source>
        <translation>正在移交给后台服务。</translation>
    </message>
    <message>
        <source>Trials go on meanwhile.</source>
        <translation>其间试验继续运行。</translation>
    </message>
    <message>
        <source>Open an experiment&apos;s file</source>
        <translation>打开实验文件</translation>
    </message>
    <message>
        <source>Open an old experiment of NNI</source>
        <translation>打开 NNI 的旧实验</translation>
    </message>
    <message>
        <source>Add machines</source>
        <translation>添加机器</translation>
    </message>
    <message>
        <source>Experiments (*.yml *.yaml *.json *.sqlite)</source>
        <translation>实验 (*.yml *.yaml *.json *.sqlite)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message numerus="yes">
        <source>%n machine(s) are asked.</source>
        <translation>
            <numerusform>正在询问 %n 台机器。</numerusform>
        </translation>
    </message>
    <message>
        <source>Loading is interrupted</source>
        <translation>加载中断</translation>
    </message>
    <message>
        <source>It goes on as soon as the service answers.</source>
        <translation>服务一有应答就会继续。</translation>
    </message>
    <message>
        <source>Loading …</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>Experiments, trials and machines are on their way from the service.</source>
        <translation>正在从服务读取实验、试验和机器。</translation>
    </message>
    <message>
        <source>The service was stopped. Running trials go on; Try now starts it again.</source>
        <translation>服务已停止。正在运行的试验会继续；点击“立即重试”可再次启动服务。</translation>
    </message>
    <message>
        <source>the service is not reached</source>
        <translation>无法连接服务</translation>
    </message>
    <message>
        <source>nothing runs or waits</source>
        <translation>没有运行或等待的试验</translation>
    </message>
    <message>
        <source>No event yet</source>
        <translation>还没有事件</translation>
    </message>
    <message>
        <source>Stop the service: running trials go on, no new ones start</source>
        <translation>停止服务：运行中的试验继续，不再启动新的试验</translation>
    </message>
    <message>
        <source>Install the service, so that it runs whenever you are logged in</source>
        <translation>安装服务，使其在您登录期间一直运行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Trialdeck %1</source>
        <translation>Trialdeck %1</translation>
    </message>
    <message>
        <source>Runs and watches machine-learning trials on whatever computers you have.
GPL-3.0-or-later. Nothing is sent anywhere.</source>
        <translation>在您拥有的任何计算机上运行并观察机器学习试验。
GPL-3.0-or-later。不向任何地方发送数据。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Change keys</source>
        <translation>更改按键</translation>
    </message>
    <message>
        <source>Note on the selected trials</source>
        <translation>为所选试验写备注</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>guide</source>
        <translation>指南</translation>
    </message>
</context>
<context>
    <name>ui::MetricCandidates</name>
    <message>
        <source>no trend</source>
        <translation>无趋势</translation>
    </message>
    <message>
        <source>rises</source>
        <translation>上升</translation>
    </message>
    <message>
        <source>falls</source>
        <translation>下降</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Metric, found in the output</source>
        <translation>在输出中找到的指标</translation>
    </message>
</context>
<context>
    <name>ui::NewExperimentDialog</name>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Name of the experiment</source>
        <translation>实验名称</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Save as file</source>
        <translation>存为文件</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message numerus="yes">
        <source>Run %n trial(s)</source>
        <translation>
            <numerusform>运行 %n 个试验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n field(s) to correct</source>
        <translation>
            <numerusform>%n 个字段需要更正</numerusform>
        </translation>
    </message>
    <message>
        <source>Experiment (*.json)</source>
        <translation>实验 (*.json)</translation>
    </message>
    <message>
        <source>test run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>The test run reported no value, so no trial would have a result. Choose a number of its output, or press again to run them all the same.</source>
        <translation>测试运行没有报告任何值，因此所有试验都不会有结果。请在其输出中选择一个数，或再按一次照常运行。</translation>
    </message>
    <message>
        <source>Choose where it runs.</source>
        <translation>请选择在哪里运行。</translation>
    </message>
</context>
<context>
    <name>ui::NoteEdit</name>
    <message numerus="yes">
        <source>The notes of %n trials are gone</source>
        <translation>
            <numerusform>已删除 %n 个试验的备注</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Noted on %n trials</source>
        <translation>
            <numerusform>已为 %n 个试验写备注</numerusform>
        </translation>
    </message>
    <message>
        <source>The note of trial %1 is gone</source>
        <translation>已删除试验 %1 的备注</translation>
    </message>
    <message>
        <source>Noted on trial %1</source>
        <translation>已为试验 %1 写备注</translation>
    </message>
    <message>
        <source>No trial is selected.</source>
        <translation>没有选中试验。</translation>
    </message>
    <message>
        <source>Note on trial %1</source>
        <translation>试验 %1 的备注</translation>
    </message>
    <message numerus="yes">
        <source>Note on %n trials</source>
        <translation>
            <numerusform>%n 个试验的备注</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Note on %n trials. Their notes differ: this one replaces them all.</source>
        <translation>
            <numerusform>%n 个试验的备注。它们的备注各不相同：此备注将全部替换。</numerusform>
        </translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>ui::NoteView</name>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Change the note</source>
        <translation>更改备注</translation>
    </message>
</context>
<context>
    <name>ui::ObjectiveFields</name>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Maximize</source>
        <translation>最大化</translation>
    </message>
    <message>
        <source>Minimize</source>
        <translation>最小化</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Pattern of the lines that tell it</source>
        <translation>给出该值的行的模式</translation>
    </message>
    <message>
        <source>read from output</source>
        <translation>从输出读取</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>only if the script prints it</source>
        <translation>仅当脚本打印它时</translation>
    </message>
    <message>
        <source>A regular expression with a group that is called value, for example %1</source>
        <translation>正则表达式，其中有名为 value 的组，例如 %1</translation>
    </message>
</context>
<context>
    <name>ui::OpenExperimentDialog</name>
    <message>
        <source>Create experiment</source>
        <translation>创建实验</translation>
    </message>
    <message>
        <source>Open an experiment</source>
        <translation>打开实验</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>%1 (new, as the file says)</source>
        <translation>%1（按文件新建）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Edit first</source>
        <translation>先编辑</translation>
    </message>
    <message>
        <source>Opens it as a new experiment, to be changed before it runs</source>
        <translation>作为新实验打开，运行前可以修改</translation>
    </message>
    <message>
        <source>The experiment, in our words</source>
        <translation>这个实验</translation>
    </message>
    <message>
        <source>The experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Without effect here</source>
        <translation>在这里不起作用</translation>
    </message>
    <message>
        <source>Nothing: every field of the file is used.</source>
        <translation>没有：文件中的每个字段都用到了。</translation>
    </message>
    <message>
        <source>Fields without effect</source>
        <translation>不起作用的字段</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>used where it is</source>
        <translation>就地使用</translation>
    </message>
    <message>
        <source>nothing is copied</source>
        <translation>不复制任何东西</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s), %1</source>
        <translation>
            <numerusform>%n 个文件，%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Files that are copied</source>
        <translation>要复制的文件</translation>
    </message>
    <message>
        <source>Left out of the copy</source>
        <translation>不复制的内容</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 项</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>There is no platform %1.</source>
        <translation>没有平台 %1。</translation>
    </message>
    <message>
        <source>There is no platform of the kind %1. Add one first.</source>
        <translation>没有类型为 %1 的平台。请先添加一个。</translation>
    </message>
</context>
<context>
    <name>ui::OptionFields</name>
    <message>
        <source>More options</source>
        <translation>更多选项</translation>
    </message>
    <message>
        <source>Options of %1</source>
        <translation>%1 的选项</translation>
    </message>
    <message>
        <source>as the platform has it</source>
        <translation>与平台相同</translation>
    </message>
</context>
<context>
    <name>ui::OverviewPage</name>
    <message>
        <source>Best trials</source>
        <translation>最佳试验</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>What failed</source>
        <translation>失败情况</translation>
    </message>
    <message>
        <source>Show failures</source>
        <translation>显示失败分析</translation>
    </message>
    <message>
        <source>All experiments</source>
        <translation>所有实验</translation>
    </message>
    <message>
        <source>%1 of %2 started</source>
        <translation>%2 个中已开始 %1 个</translation>
    </message>
    <message>
        <source>★ %1  %2, trial %3</source>
        <translation>★ %1  %2，试验 %3</translation>
    </message>
    <message>
        <source>%1, maximize</source>
        <translation>%1，最大化</translation>
    </message>
    <message>
        <source>%1, minimize</source>
        <translation>%1，最小化</translation>
    </message>
    <message>
        <source>%1 by trial</source>
        <translation>各试验的 %1</translation>
    </message>
    <message>
        <source>Objective by trial</source>
        <translation>各试验的目标值</translation>
    </message>
    <message numerus="yes">
        <source>%n more cause(s)</source>
        <translation>
            <numerusform>还有 %n 个原因</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing failed.</source>
        <translation>没有失败。</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Forecast: done %1</source>
        <translation>预计完成：%1</translation>
    </message>
</context>
<context>
    <name>ui::ParallelData</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 at most %2</source>
        <translation>%1 至多 %2</translation>
    </message>
    <message>
        <source>%1 at least %2</source>
        <translation>%1 至少 %2</translation>
    </message>
    <message>
        <source>%1 %2 to %3</source>
        <translation>%1 从 %2 到 %3</translation>
    </message>
</context>
<context>
    <name>ui::ParametersCard</name>
    <message>
        <source>drag on an axis to select, drag a name to move it</source>
        <translation>在轴上拖动以选择，拖动名称以移动</translation>
    </message>
    <message>
        <source>Across</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>散点图</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>Axes %1 of %2</source>
        <translation>轴 %1 / %2</translation>
    </message>
    <message>
        <source>%1, by quantile</source>
        <translation>%1，按分位数</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) left out: no number to show in %1</source>
        <translation>
            <numerusform>省略了 %n 个试验：%1 没有可显示的数值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::PlaceFields</name>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>GPUs a trial</source>
        <translation>每个试验的 GPU</translation>
    </message>
    <message>
        <source>Trials at once</source>
        <translation>同时试验数</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Time a trial</source>
        <translation>每次试验时间</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>Folder of the code</source>
        <translation>代码文件夹</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>with commas between them</source>
        <translation>用逗号分隔</translation>
    </message>
    <message>
        <source>A snapshot of the folder is taken: later edits do not change a running search.</source>
        <translation>会为文件夹拍快照：之后的修改不影响进行中的搜索。</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>预计</translation>
    </message>
    <message>
        <source>any: sees all, reserves none</source>
        <translation>任意：可见全部，不预留</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>同时运行</translation>
    </message>
    <message>
        <source>trials</source>
        <translation>个试验</translation>
    </message>
    <message>
        <source>no more than this</source>
        <translation>不超过此数</translation>
    </message>
    <message>
        <source>then stopped early</source>
        <translation>之后提前停止</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>ui::Plate</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>ui::PlatformsPage</name>
    <message>
        <source>where trials run</source>
        <translation>试验在哪里运行</translation>
    </message>
    <message>
        <source>Add a platform</source>
        <translation>添加平台</translation>
    </message>
    <message>
        <source>Platforms</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>letters, digits, dots and dashes, for example lab</source>
        <translation>字母、数字、点和短横线，例如 lab</translation>
    </message>
    <message>
        <source>Kind *</source>
        <translation>类型 *</translation>
    </message>
    <message>
        <source>Name *</source>
        <translation>名称 *</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Tries these settings without saving them</source>
        <translation>尝试这些设置但不保存</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Check tries the settings step by step: what works, what does not, and how to mend it.</source>
        <translation>“检查”逐步尝试设置：什么可行、什么不可行、如何修复。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>New platform</source>
        <translation>新平台</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>The platform needs a name.</source>
        <translation>平台需要名称。</translation>
    </message>
    <message>
        <source>%1 is saved.</source>
        <translation>%1 已保存。</translation>
    </message>
    <message>
        <source>The platform %1 is removed in %2 s</source>
        <translation>平台 %1 将在 %2 秒后移除</translation>
    </message>
    <message>
        <source>Save all the same, and give these trials up</source>
        <translation>仍然保存，并放弃这些试验</translation>
    </message>
    <message>
        <source>A name has 1 to 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit.</source>
        <translation>名称由 1 到 64 个字母、数字、点、短横线和下划线组成，并以字母或数字开头。</translation>
    </message>
    <message>
        <source>There is a platform %1 already.</source>
        <translation>平台 %1 已存在。</translation>
    </message>
    <message>
        <source>Import machines</source>
        <translation>导入机器</translation>
    </message>
    <message>
        <source>Chooses machines from the hosts of ~/.ssh/config, and checks them before they are added</source>
        <translation>从 ~/.ssh/config 的主机中选择机器，并在添加前检查</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Opens the platform again now</source>
        <translation>立即重新打开该平台</translation>
    </message>
    <message numerus="yes">
        <source>It is tried again in %n s.</source>
        <translation>
            <numerusform>%n 秒后自动重试。</numerusform>
        </translation>
    </message>
    <message>
        <source>Guide: %1</source>
        <translation>指南：%1</translation>
    </message>
</context>
<context>
    <name>ui::PlugDialog</name>
    <message>
        <source>What happened, on a line of time</source>
        <translation>时间线上发生的事</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>no service for %1 s</source>
        <translation>%1 秒没有服务</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Pull the plug</source>
        <translation>拔掉插头</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Export proof</source>
        <translation>导出证明</translation>
    </message>
    <message>
        <source>running trials adopted</source>
        <translation>已接管的运行中试验</translation>
    </message>
    <message>
        <source>trials lost</source>
        <translation>丢失的试验</translation>
    </message>
    <message>
        <source>started twice</source>
        <translation>启动两次</translation>
    </message>
    <message>
        <source>values of the gap recovered</source>
        <translation>恢复的中断期间的值</translation>
    </message>
    <message>
        <source>from start to adopted</source>
        <translation>从启动到接管</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>Trial by trial</source>
        <translation>逐个试验</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>启动次数</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>In the gap</source>
        <translation>中断期间</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>What this does not show: a restart of the computer, or a full disk. The first ends running trials as failed, with the reason machineRestarted.</source>
        <translation>这里没有展示：计算机重启或磁盘已满。前者会使运行中的试验失败，原因为 machineRestarted。</translation>
    </message>
    <message>
        <source>Pull the plug: watching</source>
        <translation>拔掉插头：观察中</translation>
    </message>
    <message>
        <source>Pull the plug: nothing was lost</source>
        <translation>拔掉插头：没有任何丢失</translation>
    </message>
    <message>
        <source>Pull the plug: not as it should be</source>
        <translation>拔掉插头：不符合预期</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>same process, same start time</source>
        <translation>同一进程，同一开始时间</translation>
    </message>
    <message>
        <source>%1 known before, %2 after</source>
        <translation>之前已知 %1，之后 %2</translation>
    </message>
    <message>
        <source>each start leaves a mark on disk</source>
        <translation>每次启动都在磁盘上留下标记</translation>
    </message>
    <message>
        <source>no gap in any sequence</source>
        <translation>任何序列都没有间断</translation>
    </message>
    <message>
        <source>service away for %1 s</source>
        <translation>服务离开 %1 秒</translation>
    </message>
    <message>
        <source>same process, complete</source>
        <translation>同一进程，完整</translation>
    </message>
    <message>
        <source>not as it should be</source>
        <translation>不符合预期</translation>
    </message>
    <message>
        <source>Picture (*.png);;Text (*.txt)</source>
        <translation>图片 (*.png);;文本 (*.txt)</translation>
    </message>
    <message>
        <source>%1 value received live, %2 value kept beside the trial and read later</source>
        <translation>%1 实时收到的值，%2 先存放在试验旁、之后读取的值</translation>
    </message>
    <message>
        <source>Nothing was exported.</source>
        <translation>未导出任何内容。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ui::PlugProof</name>
    <message>
        <source>Running trials adopted: %1 of %2</source>
        <translation>已接管的运行中试验：%1 / %2</translation>
    </message>
    <message>
        <source>Trials lost: %1 (%2 known before, %3 after)</source>
        <translation>丢失的试验：%1（之前已知 %2，之后 %3）</translation>
    </message>
    <message>
        <source>Trials started twice: %1</source>
        <translation>启动两次的试验：%1</translation>
    </message>
    <message>
        <source>Values of the gap recovered: %1</source>
        <translation>恢复的中断期间的值：%1</translation>
    </message>
    <message>
        <source>Service away for %1 s, adopted after %2 s</source>
        <translation>服务离开 %1 秒，%2 秒后接管</translation>
    </message>
    <message>
        <source>Trial %1: %2 values, started %3 ×, %4</source>
        <translation>试验 %1：%2 个值，启动 %3 次，%4</translation>
    </message>
    <message>
        <source>same process, complete</source>
        <translation>同一进程，完整</translation>
    </message>
    <message>
        <source>not as it should be</source>
        <translation>不符合预期</translation>
    </message>
</context>
<context>
    <name>ui::ProcessTable</name>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>PID</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Running for</source>
        <translation>已运行</translation>
    </message>
    <message>
        <source>you</source>
        <translation>您</translation>
    </message>
    <message>
        <source>someone</source>
        <translation>他人</translation>
    </message>
</context>
<context>
    <name>ui::PromptDialog</name>
    <message>
        <source>A question of %1</source>
        <translation>%1 的问题</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>以后</translation>
    </message>
</context>
<context>
    <name>ui::PromptForm</name>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Do you know %1?</source>
        <translation>您认识 %1 吗？</translation>
    </message>
    <message>
        <source>This is the first contact with %1. Compare the fingerprint with the one from its administrator.</source>
        <translation>这是与 %1 的首次联系。请与其管理员提供的指纹比对。</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>Remember in our own list</source>
        <translation>记在我们自己的列表中</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>记住</translation>
    </message>
    <message>
        <source>Trust and go on</source>
        <translation>信任并继续</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>不添加</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>I have entered it</source>
        <translation>我已输入</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>验证码</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
</context>
<context>
    <name>ui::QueuePage</name>
    <message>
        <source>Nothing waits</source>
        <translation>没有等待的试验</translation>
    </message>
    <message>
        <source>A trial that cannot start yet stands here, with the reason, the numbers behind it and what would help.</source>
        <translation>暂时不能开始的试验列在这里，附有原因、相关数字和解决办法。</translation>
    </message>
    <message>
        <source>Front</source>
        <translation>最前</translation>
    </message>
    <message>
        <source>Raise</source>
        <translation>提高</translation>
    </message>
    <message>
        <source>Lower</source>
        <translation>降低</translation>
    </message>
    <message>
        <source>End</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>暂缓</translation>
    </message>
    <message>
        <source>Hold back, or release</source>
        <translation>暂缓或放行</translation>
    </message>
    <message>
        <source>%1 waiting, %2 of %3 run at once</source>
        <translation>%1 个等待，同时运行 %2 / %3</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 等待中</translation>
    </message>
    <message>
        <source>Show the trial</source>
        <translation>显示试验</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Move before all others</source>
        <translation>移到所有其他之前</translation>
    </message>
    <message>
        <source>Raise the priority</source>
        <translation>提高优先级</translation>
    </message>
    <message>
        <source>Lower the priority</source>
        <translation>降低优先级</translation>
    </message>
    <message>
        <source>Move behind all others</source>
        <translation>移到所有其他之后</translation>
    </message>
    <message>
        <source>Nothing of this experiment waits</source>
        <translation>本实验没有等待的试验</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) of other experiments wait.</source>
        <translation>
            <numerusform>其他实验有 %n 个试验在等待。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all experiments</source>
        <translation>显示所有实验</translation>
    </message>
    <message>
        <source>Trial %1 no longer waits.</source>
        <translation>试验 %1 已不再等待。</translation>
    </message>
</context>
<context>
    <name>ui::QueuePanel</name>
    <message>
        <source>Why it waits</source>
        <translation>为什么等待</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待中</translation>
    </message>
</context>
<context>
    <name>ui::RemoveMachine</name>
    <message>
        <source>Asking what is there …</source>
        <translation>正在查询其上的内容…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove a machine</source>
        <translation>移除机器</translation>
    </message>
    <message>
        <source>Remove %1?</source>
        <translation>移除 %1？</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message numerus="yes">
        <source>It is taken out of its platform. Everything of Trialdeck is deleted there: %n folder(s) of trials with their output files, copied code, and the agent. Metrics and what the trials reported stay here.</source>
        <translation>
            <numerusform>机器将从其平台中移除。其上属于 Trialdeck 的一切都会被删除：%n 个试验文件夹及其输出文件、复制的代码和代理。指标以及试验报告的内容会保留在此处。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Give up %n trial(s) that have not ended; they may run on there</source>
        <translation>
            <numerusform>放弃 %n 个尚未结束的试验；它们可能仍在那里运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was removed.</source>
        <translation>%1 已移除。</translation>
    </message>
</context>
<context>
    <name>ui::SaveAs</name>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
</context>
<context>
    <name>ui::Screenshot</name>
    <message>
        <source>The demo did not end within %1 seconds.</source>
        <translation>演示未在 %1 秒内结束。</translation>
    </message>
    <message>
        <source>The service did not answer within %1 seconds.</source>
        <translation>服务未在 %1 秒内回应。</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>ui::SearchEditor</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>For example</source>
        <translation>例如</translation>
    </message>
    <message>
        <source>Add a parameter</source>
        <translation>添加参数</translation>
    </message>
    <message>
        <source>Name of the parameter</source>
        <translation>参数名称</translation>
    </message>
    <message>
        <source>Kind of range</source>
        <translation>范围种类</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>log uniform</source>
        <translation>对数均匀</translation>
    </message>
    <message>
        <source>choice</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>whole numbers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>Values to choose from</source>
        <translation>可选的值</translation>
    </message>
    <message>
        <source>32, 64, 128</source>
        <translation>32, 64, 128</translation>
    </message>
    <message>
        <source>Remove this parameter</source>
        <translation>移除此参数</translation>
    </message>
    <message>
        <source>Swap them</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>The command does not use {%1}.</source>
        <translation>命令没有使用 {%1}。</translation>
    </message>
</context>
<context>
    <name>ui::SearchFields</name>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Explored by</source>
        <translation>探索方式</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message numerus="yes">
        <source>%n parameter(s)</source>
        <translation>
            <numerusform>%n 个参数</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::SelectionActions</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>ui::SelectionBar</name>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>保存筛选</translation>
    </message>
    <message>
        <source>%1 of %2 selected</source>
        <translation>%2 个中选中 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n 个试验</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag on an axis below to select trials.</source>
        <translation>在下面的轴上拖动以选择试验。</translation>
    </message>
    <message>
        <source>Mean %1, best %2</source>
        <translation>均值 %1，最佳 %2</translation>
    </message>
    <message>
        <source>Drag on an axis first; the ranges can then be saved as a filter.</source>
        <translation>请先在轴上拖动；之后可把范围保存为筛选。</translation>
    </message>
    <message>
        <source>Name of the filter %1</source>
        <translation>筛选 %1 的名称</translation>
    </message>
</context>
<context>
    <name>ui::SeriesLegend</name>
    <message>
        <source>Show trial %1</source>
        <translation>显示试验 %1</translation>
    </message>
    <message>
        <source>Hide trial %1</source>
        <translation>隐藏试验 %1</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>Mark trial %1 in all charts; with Ctrl take it out of the selection</source>
        <translation>在所有图表中标出试验 %1；按住 Ctrl 则将其移出所选</translation>
    </message>
    <message>
        <source>The best trial</source>
        <translation>最佳试验</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n 个试验</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 selected</source>
        <translation>已选 %2 个中的 %1 个</translation>
    </message>
    <message>
        <source>The best %1 of the selection have a colour, the others are grey.</source>
        <translation>所选试验中最佳的 %1 个有颜色，其余为灰色。</translation>
    </message>
    <message>
        <source>The others are grey</source>
        <translation>其余为灰色</translation>
    </message>
</context>
<context>
    <name>ui::Sidebar</name>
    <message>
        <source>Views and filters</source>
        <translation>视图和筛选</translation>
    </message>
    <message>
        <source>Remove this filter</source>
        <translation>移除此筛选</translation>
    </message>
</context>
<context>
    <name>ui::StatusLine</name>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Link to the service</source>
        <translation>与服务的连接</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Values a second</source>
        <translation>每秒值数</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Connecting …</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Last seen %1</source>
        <translation>最后联系于%1</translation>
    </message>
    <message>
        <source>Not reached</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 运行中</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 等待中</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 失败</translation>
    </message>
    <message>
        <source>%1 unknown</source>
        <translation>%1 未知</translation>
    </message>
    <message>
        <source>GPUs %1 of %2</source>
        <translation>GPU %1 / %2</translation>
    </message>
    <message>
        <source>%1 values/s</source>
        <translation>%1 值/秒</translation>
    </message>
    <message>
        <source>Disk %1 free</source>
        <translation>磁盘可用 %1</translation>
    </message>
    <message>
        <source>The least of all machines</source>
        <translation>所有机器中最少的</translation>
    </message>
    <message>
        <source>ddd d MMM, HH:mm</source>
        <translation>M月d日 ddd HH:mm</translation>
    </message>
    <message>
        <source>Of all experiments</source>
        <translation>所有实验合计</translation>
    </message>
</context>
<context>
    <name>ui::TableEditor</name>
    <message>
        <source>Reports</source>
        <translation>上报</translation>
    </message>
    <message>
        <source>Add a row</source>
        <translation>添加一行</translation>
    </message>
    <message>
        <source>More of each row</source>
        <translation>每行的更多内容</translation>
    </message>
    <message>
        <source>The trial&apos;s values and its end come from the row that reports.</source>
        <translation>试验的值和结束状态来自上报的行。</translation>
    </message>
    <message>
        <source>Remove this row</source>
        <translation>删除此行</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>inherit</source>
        <translation>继承</translation>
    </message>
    <message>
        <source>The trial&apos;s values and its end come from here.</source>
        <translation>试验的值和结束状态来自此行。</translation>
    </message>
    <message>
        <source>%1 is a text that cannot be shown as a table. It stays as it is until you add a row.</source>
        <translation>%1 是无法显示为表格的文本。在添加行之前保持不变。</translation>
    </message>
</context>
<context>
    <name>ui::TestRun</name>
    <message>
        <source>one trial, not kept</source>
        <translation>一个试验，不保留</translation>
    </message>
    <message>
        <source>Run one trial</source>
        <translation>运行一个试验</translation>
    </message>
    <message>
        <source>Test run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>%1 (test run)</source>
        <translation>%1（试运行）</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Being prepared</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>没有回应</translation>
    </message>
    <message>
        <source>Running on %1, %2</source>
        <translation>在 %1 上运行，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) of %1 came, best %2</source>
        <translation>
            <numerusform>收到 %n 个 %1 的值，最佳 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>No value of %1 came: report it, or write the pattern of a line that tells it.</source>
        <translation>没有收到 %1 的值：请报告它，或写出给出该值的行的模式。</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>No value of %1 came: choose a number of its output, or a line that has it.</source>
        <translation>没有收到 %1 的值：请在其输出中选择一个数，或选择含有它的一行。</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1，已 %2</translation>
    </message>
    <message>
        <source>Being prepared for %1</source>
        <translation>正在准备，已 %1</translation>
    </message>
</context>
<context>
    <name>ui::TextDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>%1 characters are too many: at most %2.</source>
        <translation>%1 个字符太多：最多 %2 个。</translation>
    </message>
</context>
<context>
    <name>ui::Theme</name>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Early stopped</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>has a question</source>
        <translation>有问题待答</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>没有回应</translation>
    </message>
    <message>
        <source>drained</source>
        <translation>已排空</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Has a question</source>
        <translation>有问题待答</translation>
    </message>
    <message>
        <source>Silent</source>
        <translation>没有回应</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>good</source>
        <translation>良好</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
</context>
<context>
    <name>ui::Toast</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤消</translation>
    </message>
    <message>
        <source>Undo  %1</source>
        <translation>撤消  %1</translation>
    </message>
</context>
<context>
    <name>ui::TopBar</name>
    <message>
        <source>Go to, or do</source>
        <translation>前往或执行</translation>
    </message>
    <message>
        <source>Pause placement</source>
        <translation>暂停安排</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Tool bar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Go to, or do: any action, trial, machine or experiment</source>
        <translation>前往或执行：任何操作、试验、机器或实验</translation>
    </message>
    <message>
        <source>All experiments</source>
        <translation>所有实验</translation>
    </message>
    <message>
        <source>Resume placement</source>
        <translation>恢复安排</translation>
    </message>
</context>
<context>
    <name>ui::TrialDetailPanel</name>
    <message>
        <source>Select a trial to see its curve, log and files.</source>
        <translation>选择一个试验以查看其曲线、日志和文件。</translation>
    </message>
    <message>
        <source>What is known of the trial</source>
        <translation>试验的已知信息</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>ui::TrialEventsTab</name>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
</context>
<context>
    <name>ui::TrialFilesTab</name>
    <message numerus="yes">
        <source>The first %n files are shown. All come with `trialdeck pull`.</source>
        <translation>
            <numerusform>仅显示前 %n 个文件。使用 `trialdeck pull` 可获取全部文件。</numerusform>
        </translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>Output files</source>
        <translation>输出文件</translation>
    </message>
    <message>
        <source>No files yet. What the trial writes into TRIALDECK_OUTPUT_DIR appears here.</source>
        <translation>还没有文件。试验写入 TRIALDECK_OUTPUT_DIR 的内容会出现在这里。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 were saved.</source>
        <translation>只保存了 %2 中的前 %1。</translation>
    </message>
    <message>
        <source>Loading …</source>
        <translation>正在加载…</translation>
    </message>
</context>
<context>
    <name>ui::TrialFilterBar</name>
    <message>
        <source>Filter, for example lr&gt;0.01 state:failed</source>
        <translation>筛选，例如 lr&gt;0.01 state:failed</translation>
    </message>
    <message>
        <source>Filter of the trials</source>
        <translation>试验筛选</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>保存筛选</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>No trial has a parameter %1.</source>
        <translation>没有试验有参数 %1。</translation>
    </message>
    <message>
        <source>Type a filter first; then it can be saved under a name.</source>
        <translation>请先输入筛选，然后可以命名保存。</translation>
    </message>
    <message>
        <source>Name of the filter %1</source>
        <translation>筛选 %1 的名称</translation>
    </message>
</context>
<context>
    <name>ui::TrialHeader</name>
    <message>
        <source>Best trial</source>
        <translation>最佳试验</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>更多操作</translation>
    </message>
    <message>
        <source>Close the inspector</source>
        <translation>关闭检查器</translation>
    </message>
    <message>
        <source>Copy with edits</source>
        <translation>复制并修改</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop early</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>Why is it waiting?</source>
        <translation>为什么在等待？</translation>
    </message>
    <message>
        <source>Show its machine</source>
        <translation>显示其机器</translation>
    </message>
    <message>
        <source>Show the attempt before</source>
        <translation>显示上一次尝试</translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Copy parameters</source>
        <translation>复制参数</translation>
    </message>
    <message>
        <source>Copy folder</source>
        <translation>复制文件夹路径</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>备注…</translation>
    </message>
    <message>
        <source>Open its page on %1</source>
        <translation>打开它在 %1 上的页面</translation>
    </message>
</context>
<context>
    <name>ui::TrialMenu</name>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message numerus="yes">
        <source>Cancel %n trial(s)</source>
        <translation>
            <numerusform>取消 %n 个试验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stop %n trial(s) early</source>
        <translation>
            <numerusform>提前停止 %n 个试验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry %n trial(s)</source>
        <translation>
            <numerusform>重试 %n 个试验</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy with edits…</source>
        <translation>复制并修改…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Show in charts</source>
        <translation>在图表中查看</translation>
    </message>
    <message>
        <source>Why is it waiting?</source>
        <translation>为什么在等待？</translation>
    </message>
    <message>
        <source>Show its machine</source>
        <translation>显示其机器</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>标签…</translation>
    </message>
    <message>
        <source>Copy ids</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Tags of trial %1, with commas between them</source>
        <translation>试验 %1 的标签，用逗号分隔</translation>
    </message>
    <message numerus="yes">
        <source>Tags that all %n trials have, with commas between them; others stay</source>
        <translation>
            <numerusform>这 %n 个试验共有的标签，用逗号分隔；其他标签保留不变</numerusform>
        </translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>备注…</translation>
    </message>
</context>
<context>
    <name>ui::TrialParametersTab</name>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Client id</source>
        <translation>客户端 ID</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Submitted</source>
        <translation>提交时间</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>Retry of</source>
        <translation>重试自</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>ui::TrialProgress</name>
    <message>
        <source>%1 of %2 started</source>
        <translation>%2 个中已开始 %1 个</translation>
    </message>
    <message>
        <source>%1, maximize</source>
        <translation>%1，最大化</translation>
    </message>
    <message>
        <source>%1, minimize</source>
        <translation>%1，最小化</translation>
    </message>
    <message>
        <source>Forecast: done %1</source>
        <translation>预计完成：%1</translation>
    </message>
</context>
<context>
    <name>ui::TrialSummaryTab</name>
    <message>
        <source>by step</source>
        <translation>按步</translation>
    </message>
</context>
<context>
    <name>ui::TrialTableView</name>
    <message>
        <source>Best trial</source>
        <translation>最佳试验</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
</context>
<context>
    <name>ui::TrialWindow</name>
    <message>
        <source>Trial %1 – %2</source>
        <translation>试验 %1 – %2</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
</context>
<context>
    <name>ui::TrialsPage</name>
    <message>
        <source>No trials yet</source>
        <translation>还没有试验</translation>
    </message>
    <message>
        <source>Trials appear here as soon as an experiment has some.</source>
        <translation>实验一有试验就会出现在这里。</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>No trial fits the filter</source>
        <translation>没有符合筛选的试验</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) are hidden by it.</source>
        <translation>
            <numerusform>它隐藏了 %n 个试验。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all trials</source>
        <translation>显示所有试验</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n 个试验</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 trials</source>
        <translation>%1 / %2 个试验</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>已选 %1 个</translation>
    </message>
    <message>
        <source>%1 columns, %2 shown</source>
        <translation>%1 列，显示 %2 列</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新在前</translation>
    </message>
    <message>
        <source>Oldest first</source>
        <translation>最早在前</translation>
    </message>
    <message>
        <source>%1, highest first</source>
        <translation>%1，从高到低</translation>
    </message>
    <message>
        <source>%1, lowest first</source>
        <translation>%1，从低到高</translation>
    </message>
    <message>
        <source>Export table…</source>
        <translation>导出表格…</translation>
    </message>
    <message>
        <source>No trial failed.</source>
        <translation>没有失败的试验。</translation>
    </message>
    <message>
        <source>Go to trial</source>
        <translation>前往试验</translation>
    </message>
    <message>
        <source>Number of the trial</source>
        <translation>试验编号</translation>
    </message>
    <message>
        <source>There is no trial %1.</source>
        <translation>没有试验 %1。</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>J, K</source>
        <translation>J, K</translation>
    </message>
    <message>
        <source>Next, previous row</source>
        <translation>下一行、上一行</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Open in the inspector</source>
        <translation>在检查器中打开</translation>
    </message>
    <message>
        <source>Retry the selection</source>
        <translation>重试所选</translation>
    </message>
    <message>
        <source>Cancel the selection</source>
        <translation>取消所选</translation>
    </message>
    <message>
        <source>Stop the selection early</source>
        <translation>提前停止所选</translation>
    </message>
    <message>
        <source>Go to a trial by its number</source>
        <translation>按编号前往试验</translation>
    </message>
    <message>
        <source>Export the table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Compare the selection</source>
        <translation>比较所选</translation>
    </message>
    <message>
        <source>: best %1, mean %2</source>
        <translation>：最佳 %1，平均 %2</translation>
    </message>
    <message numerus="yes">
        <source>Copy %n row(s)</source>
        <translation>
            <numerusform>复制 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %n row(s), with their header.</source>
        <translation>
            <numerusform>已复制 %n 行及表头。</numerusform>
        </translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Ctrl+C</translation>
    </message>
    <message>
        <source>Copy the selected rows</source>
        <translation>复制所选行</translation>
    </message>
    <message>
        <source>Hide “%1”</source>
        <translation>隐藏“%1”</translation>
    </message>
    <message>
        <source>Choose columns…</source>
        <translation>选择列…</translation>
    </message>
    <message>
        <source>Usual columns</source>
        <translation>常用列</translation>
    </message>
    <message>
        <source>Tags of the selection</source>
        <translation>所选试验的标签</translation>
    </message>
    <message>
        <source>Open in a window of its own</source>
        <translation>在独立窗口中打开</translation>
    </message>
    <message>
        <source>Space · Shift+Space</source>
        <translation>空格 · Shift+空格</translation>
    </message>
    <message>
        <source>Mark the row · the rows since the last mark</source>
        <translation>标记该行 · 上次标记以来的各行</translation>
    </message>
    <message>
        <source>Log of the trial</source>
        <translation>试验的日志</translation>
    </message>
    <message>
        <source>Curve of the trial</source>
        <translation>试验的曲线</translation>
    </message>
    <message>
        <source>Parameters of the trial</source>
        <translation>试验的参数</translation>
    </message>
    <message>
        <source>Events of the trial</source>
        <translation>试验的事件</translation>
    </message>
    <message>
        <source>Previous failure</source>
        <translation>上一个失败</translation>
    </message>
    <message>
        <source>Next failure</source>
        <translation>下一个失败</translation>
    </message>
</context>
<context>
    <name>ui::WhyCard</name>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>怎样会有帮助</translation>
    </message>
    <message>
        <source>Why it waits</source>
        <translation>等待原因</translation>
    </message>
    <message>
        <source>Close the card</source>
        <translation>关闭卡片</translation>
    </message>
    <message>
        <source>Nothing waits</source>
        <translation>没有等待的试验</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>Waiting for %1</source>
        <translation>已等待 %1</translation>
    </message>
    <message>
        <source>Earliest, by history: %1</source>
        <translation>按历史记录，最早：%1</translation>
    </message>
    <message>
        <source>No trial is chosen</source>
        <translation>未选择试验</translation>
    </message>
</context>
<context>
    <name>ui::charts::ChartKeys</name>
    <message>
        <source>Step, relative, clock</source>
        <translation>步、相对、时钟</translation>
    </message>
    <message>
        <source>Logarithmic axis</source>
        <translation>对数轴</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>ui::charts::DotChart</name>
    <message>
        <source>Trials as dots</source>
        <translation>试验散点</translation>
    </message>
</context>
<context>
    <name>ui::charts::MetricChart</name>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>No value of %1 was reported yet.</source>
        <translation>还没有报告 %1 的值。</translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation>%1 百万</translation>
    </message>
    <message>
        <source>raw, %1 values</source>
        <translation>原始，%1 个值</translation>
    </message>
    <message>
        <source>min–max of %1</source>
        <translation>%1 的最小–最大</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>%1 后</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 个值</translation>
    </message>
    <message>
        <source>newest %1 of %2 trials</source>
        <translation>最新 %1 / 共 %2 个试验</translation>
    </message>
    <message>
        <source>all %1 trials</source>
        <translation>全部 %1 个试验</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>平滑 %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Loading …</source>
        <translation>正在加载…</translation>
    </message>
</context>
<context>
    <name>ui::charts::ParallelCoordinates</name>
    <message>
        <source>Parallel coordinates</source>
        <translation>平行坐标</translation>
    </message>
</context>
<context>
    <name>ui::charts::PlotView</name>
    <message>
        <source>Reset zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>Show everything again (0, or a double click)</source>
        <translation>重新显示全部（按 0 或双击）</translation>
    </message>
</context>
<context>
    <name>ui::charts::PlotWords</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 条</numerusform>
        </translation>
    </message>
</context>
</TS>
