<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Message</name>
    <message>
        <source> %1 more could not be offered.</source>
        <translation>还有 %1 个未能提供。</translation>
    </message>
    <message>
        <source> (</source>
        <translation> (</translation>
    </message>
    <message>
        <source> (%1 MiB)</source>
        <translation>（%1 MiB）</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source> (MIG devices serve trials of 1 GPU)</source>
        <translation>（MIG 设备只供使用 1 个 GPU 的试验）</translation>
    </message>
    <message>
        <source> (“%1”)</source>
        <translation>（“%1”）</translation>
    </message>
    <message>
        <source> Before that, the machine&apos;s preCommand or its login shell said: </source>
        <translation>在此之前，机器的 preCommand 或其登录 shell 输出：</translation>
    </message>
    <message>
        <source> Did you mean %1?</source>
        <translation>您是不是想写 %1？</translation>
    </message>
    <message>
        <source> Free some space there and try again; the file is as it was before.</source>
        <translation>请在那里腾出空间后重试；文件保持原样。</translation>
    </message>
    <message>
        <source> It is of NNI&apos;s v1 schema; in this file it is %1.</source>
        <translation>它属于 NNI 的 v1 格式；在此文件中应写作 %1。</translation>
    </message>
    <message>
        <source> Last line of %1: </source>
        <translation>%1 的最后一行：</translation>
    </message>
    <message>
        <source> Leave out what trials do not need with lines such as %1 in %2.</source>
        <translation>请在 %2 中用 %1 这样的行排除试验不需要的内容。</translation>
    </message>
    <message>
        <source> Make it readable, or leave it out with the line %1 in %2.</source>
        <translation>请使其可读，或在 %2 中用一行 %1 排除它。</translation>
    </message>
    <message>
        <source> Only a paused one can be resumed.</source>
        <translation>只有已暂停的才能恢复。</translation>
    </message>
    <message>
        <source> Only a running one can be paused.</source>
        <translation>只有运行中的才能暂停。</translation>
    </message>
    <message>
        <source> Replace it by what it points at, or leave it out with the line %1 in %2.</source>
        <translation>请用它指向的内容替换它，或在 %2 中用一行 %1 排除它。</translation>
    </message>
    <message>
        <source> So do %1 more links.</source>
        <translation>另有 %1 个链接也是如此。</translation>
    </message>
    <message>
        <source> The largest parts: </source>
        <translation>最大的部分：</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation>，另有 %1 个</translation>
    </message>
    <message>
        <source> and their folders removed</source>
        <translation>，其文件夹也会移除</translation>
    </message>
    <message>
        <source> must be a JSON object.</source>
        <translation> 必须是 JSON 对象。</translation>
    </message>
    <message>
        <source> of %1 (%2)</source>
        <translation>，共 %1 个（%2）</translation>
    </message>
    <message>
        <source> of user </source>
        <translation>，用户 </translation>
    </message>
    <message>
        <source> on %1</source>
        <translation>，位于 %1</translation>
    </message>
    <message>
        <source> on the platform %1</source>
        <translation>，位于平台 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1（%2，%3）</translation>
    </message>
    <message>
        <source>%1 (and %2 more)</source>
        <translation>%1（另有 %2 个）</translation>
    </message>
    <message>
        <source>%1 (cannot be read as a key)</source>
        <translation>%1（无法作为密钥读取）</translation>
    </message>
    <message>
        <source>%1 (locked)</source>
        <translation>%1（已锁定）</translation>
    </message>
    <message>
        <source>%1 GPU</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>%1 Its log:
%2</source>
        <translation>%1其日志：
%2</translation>
    </message>
    <message>
        <source>%1 The folder changed during each of %2 attempts: wait until nothing writes there, or leave out in .nniignore what changes.</source>
        <translation>%1在 %2 次尝试中，文件夹每次都有变化：请等到没有程序在其中写入，或在 .nniignore 中排除会变化的内容。</translation>
    </message>
    <message>
        <source>%1 The login had succeeded, and the account&apos;s shell had said nothing. If it happens again, the log of the server&apos;s sshd says why; test it with %2</source>
        <translation>%1登录已成功，账户的 shell 没有任何输出。若再次发生，服务器上 sshd 的日志会说明原因；请这样测试：%2</translation>
    </message>
    <message>
        <source>%1 accepted the connection, but did not speak SSH within %2 seconds.</source>
        <translation>%1 接受了连接，但 %2 秒内没有以 SSH 应答。</translation>
    </message>
    <message>
        <source>%1 and %2 mean the same: give one of them.</source>
        <translation>%1 和 %2 含义相同：请只给出其中一个。</translation>
    </message>
    <message>
        <source>%1 and Trialdeck&apos;s own SSH have no algorithm in common that your SSH settings allow (%2). Let the program ssh make the connection (useSshProgram of this machine).</source>
        <translation>%1 与 Trialdeck 自带的 SSH 没有您的 SSH 设置所允许的共同算法（%2）。请让 ssh 程序建立连接（此机器的 useSshProgram）。</translation>
    </message>
    <message>
        <source>%1 answers again: what may run there of it is being ended.</source>
        <translation>%1 恢复应答：正在结束它可能还在那里运行的部分。</translation>
    </message>
    <message>
        <source>%1 answers again: what ran there of it has ended, and its folder was removed.</source>
        <translation>%1 恢复应答：它在那里运行的部分已结束，其文件夹已移除。</translation>
    </message>
    <message>
        <source>%1 asks %2.</source>
        <translation>%1 询问 %2。</translation>
    </message>
    <message>
        <source>%1 asks %2. %3</source>
        <translation>%1 询问 %2。%3</translation>
    </message>
    <message>
        <source>%1 became shorter while it was packed; try again.</source>
        <translation>%1 在打包时变短了；请重试。</translation>
    </message>
    <message>
        <source>%1 cannot be reached at port %2: %3.</source>
        <translation>无法连接 %1 的端口 %2：%3。</translation>
    </message>
    <message>
        <source>%1 cannot be reached through %2: %3</source>
        <translation>无法经由 %2 连接 %1：%3</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.%3</source>
        <translation>无法写入 %1：%2。%3</translation>
    </message>
    <message>
        <source>%1 did not answer at port %2 within %3 seconds.</source>
        <translation>%1 的端口 %2 在 %3 秒内没有应答。</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 个文件</translation>
    </message>
    <message>
        <source>%1 has %2</source>
        <translation>%1 有 %2 个</translation>
    </message>
    <message>
        <source>%1 has %2 free</source>
        <translation>%1 有 %2 个空闲</translation>
    </message>
    <message>
        <source>%1 has 1 to 128 of the characters a-z, 0-9, &apos;.&apos;, &apos;-&apos;, and begins with a letter or digit.</source>
        <translation>%1 由 1 到 128 个字符（a-z、0-9、&apos;.&apos;、&apos;-&apos;）组成，并以字母或数字开头。</translation>
    </message>
    <message>
        <source>%1 has no GPU %2; it has %3.</source>
        <translation>%1 没有 GPU %2；它有 %3。</translation>
    </message>
    <message>
        <source>%1 has no GPU for trials%2</source>
        <translation>%1 没有可供试验使用的 GPU%2</translation>
    </message>
    <message>
        <source>%1 has none for trials%2</source>
        <translation>%1 没有可供试验使用的 GPU%2</translation>
    </message>
    <message>
        <source>%1 has not been heard of since %2. The trials that it asked for go on; nobody asks for more.</source>
        <translation>自 %2 起没有 %1 的消息。它要求的试验继续运行；没有谁再要求新的试验。</translation>
    </message>
    <message>
        <source>%1 has trials under way, so its kind cannot be changed.</source>
        <translation>%1 有正在进行的试验，因此不能更改其类型。</translation>
    </message>
    <message>
        <source>%1 holds a character with code 0, which no program can be given.</source>
        <translation>%1 含有编码为 0 的字符，无法传给任何程序。</translation>
    </message>
    <message>
        <source>%1 holds a row of more than %2.</source>
        <translation>%1 中有一行超过 %2。</translation>
    </message>
    <message>
        <source>%1 holds more than %2 rows.</source>
        <translation>%1 的行数超过 %2。</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 is %2 and is left out.</source>
        <translation>%1 是%2，已排除。</translation>
    </message>
    <message>
        <source>%1 is a database of NNI without an experiment.</source>
        <translation>%1 是 NNI 的数据库，但其中没有实验。</translation>
    </message>
    <message>
        <source>%1 is larger than 1 MiB, too large for a list of patterns.</source>
        <translation>%1 大于 1 MiB，作为模式列表过大。</translation>
    </message>
    <message>
        <source>%1 is left out, as it may hold secrets. If trials need it, include it with the line %2 in %3.</source>
        <translation>%1 已排除，因为它可能含有机密。若试验需要它，请在 %3 中用一行 %2 包含它。</translation>
    </message>
    <message>
        <source>%1 is left out, as what it holds looks like a token of Trialdeck. If it is none and trials need it, include it with the line %2 in %3.</source>
        <translation>%1 已排除，因为其内容看起来像 Trialdeck 的令牌。若不是令牌且试验需要它，请在 %3 中用一行 %2 包含它。</translation>
    </message>
    <message>
        <source>%1 is left out: it belongs to Trialdeck itself and holds its data, token and passwords.</source>
        <translation>%1 已排除：它属于 Trialdeck 自身，存有其数据、令牌和密码。</translation>
    </message>
    <message>
        <source>%1 is left out: it holds a token of Trialdeck.</source>
        <translation>%1 已排除：它含有 Trialdeck 的令牌。</translation>
    </message>
    <message>
        <source>%1 is left out: it is a Python environment of this computer. If trials need it, include it with the line %2 in %3.</source>
        <translation>%1 已排除：它是本机的 Python 环境。若试验需要它，请在 %3 中用一行 %2 包含它。</translation>
    </message>
    <message>
        <source>%1 is locked: NNI is writing to it. Try again.</source>
        <translation>%1 已锁定：NNI 正在写入。请重试。</translation>
    </message>
    <message>
        <source>%1 is missing.</source>
        <translation>缺少 %1。</translation>
    </message>
    <message>
        <source>%1 is not a .tar.gz archive.</source>
        <translation>%1 不是 .tar.gz 归档。</translation>
    </message>
    <message>
        <source>%1 is not a database of NNI, or it is damaged.</source>
        <translation>%1 不是 NNI 的数据库，或已损坏。</translation>
    </message>
    <message>
        <source>%1 is not a database of NNI: it has no table %2.</source>
        <translation>%1 不是 NNI 的数据库：其中没有表 %2。</translation>
    </message>
    <message>
        <source>%1 is not a database of NNI: its %2 is a %3, where NNI makes a plain table.</source>
        <translation>%1 不是 NNI 的数据库：其中的 %2 是 %3，而 NNI 创建的是普通表。</translation>
    </message>
    <message>
        <source>%1 is not compressed with gzip.</source>
        <translation>%1 未用 gzip 压缩。</translation>
    </message>
    <message>
        <source>%1 is not possible here, but %2.</source>
        <translation>此处不支持 %1，支持的是 %2。</translation>
    </message>
    <message>
        <source>%1 is not reached.</source>
        <translation>无法连接 %1。</translation>
    </message>
    <message>
        <source>%1 is not read: %2 NNI itself can show it: nnictl view.</source>
        <translation>未读取 %1：%2可用 NNI 自身显示它：nnictl view。</translation>
    </message>
    <message>
        <source>%1 is part of %2 and cannot be taken out of it.</source>
        <translation>%1 是 %2 的一部分，不能从中移出。</translation>
    </message>
    <message>
        <source>%1 is reached by the program ssh, which keeps its own list of host keys: log in there once in a terminal.</source>
        <translation>%1 通过 ssh 程序连接，该程序自行维护主机密钥列表：请在终端中登录那里一次。</translation>
    </message>
    <message>
        <source>%1 is the only machine of %2: delete the platform instead.</source>
        <translation>%1 是 %2 唯一的机器：请改为删除该平台。</translation>
    </message>
    <message>
        <source>%1 machines are not reached.</source>
        <translation>%1 台机器无法连接。</translation>
    </message>
    <message>
        <source>%1 must be a JSON object.</source>
        <translation>%1 必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>%1 must be a list of GPU numbers such as [0, 1].</source>
        <translation>%1 必须是 GPU 编号的列表，例如 [0, 1]。</translation>
    </message>
    <message>
        <source>%1 must be a list.</source>
        <translation>%1 必须是列表。</translation>
    </message>
    <message>
        <source>%1 must be a text.</source>
        <translation>%1 必须是文本。</translation>
    </message>
    <message>
        <source>%1 must be a whole number of at most %2.</source>
        <translation>%1 必须是不大于 %2 的整数。</translation>
    </message>
    <message>
        <source>%1 must be a whole number.</source>
        <translation>%1 必须是整数。</translation>
    </message>
    <message>
        <source>%1 must be an object.</source>
        <translation>%1 必须是对象。</translation>
    </message>
    <message>
        <source>%1 must be at least %2.</source>
        <translation>%1 必须至少为 %2。</translation>
    </message>
    <message>
        <source>%1 must be greater than 0, or null for no limit.</source>
        <translation>%1 必须大于 0，或为 null 表示没有限制。</translation>
    </message>
    <message>
        <source>%1 must be greater than 0; leave it out for no limit.</source>
        <translation>%1 必须大于 0；省略则没有限制。</translation>
    </message>
    <message>
        <source>%1 must be one of: %2.</source>
        <translation>%1 必须是以下之一：%2。</translation>
    </message>
    <message>
        <source>%1 must be seconds, or a number with a unit: &quot;90s&quot;, &quot;30m&quot;, &quot;2h&quot;, &quot;1d&quot;.</source>
        <translation>%1 必须是秒数，或带单位的数字：&quot;90s&quot;、&quot;30m&quot;、&quot;2h&quot;、&quot;1d&quot;。</translation>
    </message>
    <message>
        <source>%1 must be true or false.</source>
        <translation>%1 必须是 true 或 false。</translation>
    </message>
    <message>
        <source>%1 must have at least one entry.</source>
        <translation>%1 必须至少有一项。</translation>
    </message>
    <message>
        <source>%1 must not be empty.</source>
        <translation>%1 不能为空。</translation>
    </message>
    <message>
        <source>%1 needs a low end above 0, not %2, since it has no logarithm.</source>
        <translation>%1 的下限必须大于 0，不能是 %2，因为它没有对数。</translation>
    </message>
    <message>
        <source>%1 of %2 of this experiment %3</source>
        <translation>此实验同时最多 %2，已有 %1 个%3</translation>
    </message>
    <message>
        <source>%1 of the ssh-agent</source>
        <translation>ssh-agent 中的 %1</translation>
    </message>
    <message>
        <source>%1 of this experiment run, more than the %2 now allowed at once</source>
        <translation>此实验有 %1在运行，超过现在允许同时运行的 %2 个</translation>
    </message>
    <message>
        <source>%1 refused every answer.</source>
        <translation>%1 拒绝了所有回答。</translation>
    </message>
    <message>
        <source>%1 refused the connection at port %2: no SSH server listens there. Start one on it, or correct the port.</source>
        <translation>%1 拒绝了端口 %2 上的连接：那里没有 SSH 服务器在监听。请在其上启动一个，或更正端口。</translation>
    </message>
    <message>
        <source>%1 refused the connection of `ssh`: no SSH server listens there. Start one on it, or correct host and port.</source>
        <translation>%1 拒绝了 `ssh` 的连接：那里没有 SSH 服务器在监听。请在其上启动一个，或更正主机和端口。</translation>
    </message>
    <message>
        <source>%1 refused the login as %2: %3. It takes %4. Test it with: ssh -p %5 %2@%6</source>
        <translation>%1 拒绝以 %2 登录：%3。它接受 %4。请这样测试：ssh -p %5 %2@%6</translation>
    </message>
    <message>
        <source>%1 refused the password of %2.</source>
        <translation>%1 拒绝了 %2 的密码。</translation>
    </message>
    <message>
        <source>%1 run %2 trials</source>
        <translation>%1 个在运行 %2 个试验</translation>
    </message>
    <message>
        <source>%1 run trials</source>
        <translation>%1 个在运行试验</translation>
    </message>
    <message>
        <source>%1 s as %2, by %3</source>
        <translation>%1 秒，用户 %2，方式 %3</translation>
    </message>
    <message>
        <source>%1 s off</source>
        <translation>偏差 %1 秒</translation>
    </message>
    <message>
        <source>%1 showed no host key.</source>
        <translation>%1 没有出示主机密钥。</translation>
    </message>
    <message>
        <source>%1 takes %2 KiB, and the system passes at most %3 KiB: put long values into a file, or let the program read them from TRIALDECK_PARAMETERS_FILE.</source>
        <translation>%1 占 %2 KiB，而系统最多传递 %3 KiB：请将长的值放入文件，或让程序从 TRIALDECK_PARAMETERS_FILE 读取。</translation>
    </message>
    <message>
        <source>%1 takes %2 values (%3), and there are %4.</source>
        <translation>%1 需要 %2 个值（%3），现有 %4 个。</translation>
    </message>
    <message>
        <source>%1 takes numbers, and %2 is none.</source>
        <translation>%1 需要数字，而 %2 不是数字。</translation>
    </message>
    <message>
        <source>%1 took none of the keys that were offered, and allows no more tries (%2).%3 Name the right one (IdentityFile of your SSH settings, or sshKeyFile).</source>
        <translation>%1 不接受所提供的任何密钥，且不再允许尝试（%2）。%3请指明正确的密钥（SSH 设置中的 IdentityFile，或 sshKeyFile）。</translation>
    </message>
    <message>
        <source>%1 trial</source>
        <translation>%1 个试验</translation>
    </message>
    <message>
        <source>%1 trial folders stay there: %2.</source>
        <translation>%1 个试验文件夹留在那里：%2。</translation>
    </message>
    <message>
        <source>%1 trial folders were removed.</source>
        <translation>已移除 %1 个试验文件夹。</translation>
    </message>
    <message>
        <source>%1 trials</source>
        <translation>%1 个试验</translation>
    </message>
    <message>
        <source>%1 trials were given up there and may run on: once the machine answers they are ended there, and their folders go if that was asked for.</source>
        <translation>那里有 %1 个试验已被放弃，可能仍在运行：机器一旦应答，就会在那里结束它们；若曾要求移除文件夹，也会一并移除。</translation>
    </message>
    <message>
        <source>%1 wants the password of %2.</source>
        <translation>%1 需要 %2 的密码。</translation>
    </message>
    <message>
        <source>%1 was a file and is none any more; try again.</source>
        <translation>%1 原来是文件，现在不是了；请重试。</translation>
    </message>
    <message>
        <source>%1%2 must be %3.</source>
        <translation>%1%2 必须是 %3。</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <translation>%1，%2 %3</translation>
    </message>
    <message>
        <source>%1, %2 cores, %3</source>
        <translation>%1，%2 核，%3</translation>
    </message>
    <message>
        <source>%1, %2%3</source>
        <translation>%1，%2%3</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: another machine of the list is named &quot;%2&quot;, too.</source>
        <translation>%1：列表中另一台机器也名为 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>%1; %2
%3</source>
        <translation>%1；%2
%3</translation>
    </message>
    <message>
        <source>%1form.hyperParameters.value is required: the text of parameter.cfg.</source>
        <translation>缺少 %1form.hyperParameters.value：即 parameter.cfg 的文本。</translation>
    </message>
    <message>
        <source>%1parameters and form exclude each other: give one of them.</source>
        <translation>%1parameters 和 form 互斥：请只给出其中一个。</translation>
    </message>
    <message>
        <source>, GPU %1</source>
        <translation>，GPU %1</translation>
    </message>
    <message>
        <source>, GPUs %1</source>
        <translation>，GPU %1</translation>
    </message>
    <message>
        <source>, or choose another folder for trials (scratchDir)</source>
        <translation>，或选择另一个试验文件夹（scratchDir）</translation>
    </message>
    <message>
        <source>, q</source>
        <translation>, q</translation>
    </message>
    <message>
        <source>, so it can never start on this platform</source>
        <translation>，因此永远无法在此平台上开始</translation>
    </message>
    <message>
        <source>.scratchDir must be an absolute path, or begin with ~/.</source>
        <translation>.scratchDir 必须是绝对路径，或以 ~/ 开头。</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <source>1 runs %1 trials</source>
        <translation>1 个在运行 %1 个试验</translation>
    </message>
    <message>
        <source>1 runs a trial</source>
        <translation>1 个在运行试验</translation>
    </message>
    <message>
        <source>1 to 128 characters of letters, digits, &quot;.&quot;, &quot;_&quot;, &quot;:&quot; and &quot;-&quot;, and begin with a letter or digit</source>
        <translation>1 到 128 个字符（字母、数字、&quot;.&quot;、&quot;_&quot;、&quot;:&quot; 和 &quot;-&quot;），并以字母或数字开头</translation>
    </message>
    <message>
        <source>1 trial was given up there and may run on: once the machine answers it is ended there, and its folder goes if that was asked for.</source>
        <translation>那里有 1 个试验已被放弃，可能仍在运行：机器一旦应答，就会在那里结束它；若曾要求移除文件夹，也会一并移除。</translation>
    </message>
    <message>
        <source>: a command in it cannot be executed</source>
        <translation>：其中有命令无法执行</translation>
    </message>
    <message>
        <source>: a command in it was not found</source>
        <translation>：其中有命令未找到</translation>
    </message>
    <message>
        <source>: a process in it was killed by signal %1 (%2)</source>
        <translation>：其中有进程被信号 %1（%2）终止</translation>
    </message>
    <message>
        <source>: trials use %1 cores</source>
        <translation>：试验使用 %1 核</translation>
    </message>
    <message>
        <source>: trials use 1 core</source>
        <translation>：试验使用 1 核</translation>
    </message>
    <message>
        <source>; it said: </source>
        <translation>；其输出为：</translation>
    </message>
    <message>
        <source>; not offered: %1</source>
        <translation>；未提供：%1</translation>
    </message>
    <message>
        <source>A GPU has stopped answering the driver. The machine needs a restart.</source>
        <translation>有 GPU 不再响应驱动程序。机器需要重启。</translation>
    </message>
    <message>
        <source>A JSON object is expected here.</source>
        <translation>此处应为 JSON 对象。</translation>
    </message>
    <message>
        <source>A later run of this trial has posted already, so this one counts no more.</source>
        <translation>此试验后面的一次运行已经提交过指标，因此这一次不再计入。</translation>
    </message>
    <message>
        <source>A line of NNI&apos;s SDK on standard output holds no whole record; it is left out.</source>
        <translation>NNI 的 SDK 在标准输出中的一行不含完整记录，已略过。</translation>
    </message>
    <message>
        <source>A line of over 1 MiB is left out.</source>
        <translation>有一行超过 1 MiB，已略过。</translation>
    </message>
    <message>
        <source>A line of the metrics file is left out: %1.</source>
        <translation>已略过指标文件中的一行：%1。</translation>
    </message>
    <message>
        <source>A log is read from an offset of at least 0, at least one byte at a time.</source>
        <translation>读取日志的偏移量至少为 0，每次至少一个字节。</translation>
    </message>
    <message>
        <source>A machine is not reached.</source>
        <translation>有一台机器无法连接。</translation>
    </message>
    <message>
        <source>A metric is left out: it is %1.</source>
        <translation>已略过一个指标：它%1。</translation>
    </message>
    <message>
        <source>A metric of %1 bytes is left out: the limit is 1 MiB.</source>
        <translation>已略过一个 %1 字节的指标：上限为 1 MiB。</translation>
    </message>
    <message>
        <source>A metric of over 1 MiB on standard output is left out.</source>
        <translation>已略过标准输出中一个超过 1 MiB 的指标。</translation>
    </message>
    <message>
        <source>A metric that is not UTF-8 is left out.</source>
        <translation>已略过一个不是 UTF-8 的指标。</translation>
    </message>
    <message>
        <source>A parameter of the search space has an empty name.</source>
        <translation>搜索空间中有参数的名称为空。</translation>
    </message>
    <message>
        <source>A platform of kind %1 does not know the metadata key &quot;%2&quot;.</source>
        <translation>类型为 %1 的平台没有元数据键 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>A platform&apos;s id has 1 to 63 of the characters a-z, 0-9, &apos;.&apos;, &apos;_&apos;, &apos;-&apos;, and begins with a letter or digit.</source>
        <translation>平台的 ID 由 1 到 63 个字符（a-z、0-9、&apos;.&apos;、&apos;_&apos;、&apos;-&apos;）组成，并以字母或数字开头。</translation>
    </message>
    <message>
        <source>A post holds at most %1 records; send the rest in another one.</source>
        <translation>一次提交最多包含 %1 条记录；其余的请另行提交。</translation>
    </message>
    <message>
        <source>A record above offset %1 came, which is the next one; send from there on.</source>
        <translation>收到了偏移大于 %1 的记录，而下一条应为 %1；请从那里开始发送。</translation>
    </message>
    <message>
        <source>A record of NNI&apos;s SDK on standard output is left out: %1.</source>
        <translation>已略过 NNI 的 SDK 在标准输出中的一条记录：%1。</translation>
    </message>
    <message>
        <source>A record of the metrics file is left out: %1.</source>
        <translation>已略过指标文件中的一条记录：%1。</translation>
    </message>
    <message>
        <source>A record was begun and never finished; it is left out.</source>
        <translation>有一条记录开始后没有写完，已略过。</translation>
    </message>
    <message>
        <source>A request needs exactly one Host header.</source>
        <translation>请求必须恰好有一个 Host 头。</translation>
    </message>
    <message>
        <source>A token&apos;s name has 1 to %1 letters, digits, dots, dashes and underscores.</source>
        <translation>令牌的名称由 1 到 %1 个字母、数字、点、短横线和下划线组成。</translation>
    </message>
    <message>
        <source>A trial has no field &quot;%1&quot;.</source>
        <translation>试验没有字段 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>A valid token is required: Authorization: Bearer TOKEN. The file endpoint.json of the data directory names the token&apos;s file.</source>
        <translation>需要有效的令牌：Authorization: Bearer TOKEN。数据目录中的 endpoint.json 文件指明了令牌文件。</translation>
    </message>
    <message>
        <source>Accepted as attempt %1.</source>
        <translation>已接受，第 %1 次尝试。</translation>
    </message>
    <message>
        <source>Accepted.</source>
        <translation>已接受。</translation>
    </message>
    <message>
        <source>Add the machine again, and they are removed; or delete them there by hand.</source>
        <translation>重新添加该机器即可移除它们；也可在那里手动删除。</translation>
    </message>
    <message>
        <source>An NVIDIA driver is loaded, but there is no nvidia-smi; install the utilities of that driver.</source>
        <translation>已加载 NVIDIA 驱动程序，但没有 nvidia-smi；请安装该驱动程序的工具。</translation>
    </message>
    <message>
        <source>Another post of this trial is not answered yet; send one after the other.</source>
        <translation>此试验的另一次提交尚未得到答复；请逐次发送。</translation>
    </message>
    <message>
        <source>Ask the agent</source>
        <translation>询问代理</translation>
    </message>
    <message>
        <source>Back to the queue: %1</source>
        <translation>回到队列：%1</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Cancelled before it was started.</source>
        <translation>在启动之前已取消。</translation>
    </message>
    <message>
        <source>Cannot %1 %2: %3.</source>
        <translation>无法%1 %2：%3。</translation>
    </message>
    <message>
        <source>Cannot make the folder %1.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>Cannot pack the code into %1.</source>
        <translation>无法将代码打包到 %1。</translation>
    </message>
    <message>
        <source>Cannot read the packed code %1: %2.</source>
        <translation>无法读取打包的代码 %1：%2。</translation>
    </message>
    <message>
        <source>Cannot read the secrets in %1: %2.</source>
        <translation>无法读取 %1 中的机密：%2。</translation>
    </message>
    <message>
        <source>Cannot start %1: %2.</source>
        <translation>无法启动 %1：%2。</translation>
    </message>
    <message>
        <source>Clean shell</source>
        <translation>干净的 shell</translation>
    </message>
    <message>
        <source>Code in place runs only on this computer; this platform needs a snapshot.</source>
        <translation>就地使用的代码只能在本机运行；此平台需要快照。</translation>
    </message>
    <message>
        <source>Compare the fingerprint with the one from the machine&apos;s administrator; accept it only if both are the same.</source>
        <translation>请与机器管理员提供的指纹比对；只有两者相同时才接受。</translation>
    </message>
    <message>
        <source>Copying the code was cancelled.</source>
        <translation>已取消复制代码。</translation>
    </message>
    <message>
        <source>Correct this machine&apos;s settings, then check it again.</source>
        <translation>请更正此机器的设置，然后重新检查。</translation>
    </message>
    <message>
        <source>Each machine of machine_list must be an object.</source>
        <translation>machine_list 中的每台机器都必须是对象。</translation>
    </message>
    <message>
        <source>Events come over a WebSocket, or with &quot;Accept: application/x-ndjson&quot; as lines.</source>
        <translation>事件通过 WebSocket 传送，或使用 &quot;Accept: application/x-ndjson&quot; 逐行传送。</translation>
    </message>
    <message>
        <source>Everything of Trialdeck was deleted there.</source>
        <translation>那里属于 Trialdeck 的内容已全部删除。</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Free some space there, or choose another folder for trials (scratchDir).</source>
        <translation>请在那里腾出空间，或选择另一个试验文件夹（scratchDir）。</translation>
    </message>
    <message>
        <source>GPU %1 is busy with %2</source>
        <translation>GPU %1 正被 %2 占用</translation>
    </message>
    <message>
        <source>GPU %1 is held by another service</source>
        <translation>GPU %1 被另一个服务占用</translation>
    </message>
    <message>
        <source>GPU %1 is reserved by a person%2</source>
        <translation>GPU %1 由用户预留%2</translation>
    </message>
    <message>
        <source>GPU %1 is split into MIG devices</source>
        <translation>GPU %1 已划分为 MIG 设备</translation>
    </message>
    <message>
        <source>Give codeDir or codeHash, not both.</source>
        <translation>请给出 codeDir 或 codeHash，不能同时给出。</translation>
    </message>
    <message>
        <source>Give either ids or filter: which trials are meant.</source>
        <translation>请给出 ids 或 filter 之一，以指明是哪些试验。</translation>
    </message>
    <message>
        <source>Give exactly one of answers, accept and cancel.</source>
        <translation>请给出 answers、accept 和 cancel 中的恰好一个。</translation>
    </message>
    <message>
        <source>Got the next parameters (index %1).</source>
        <translation>已得到下一组参数（序号 %1）。</translation>
    </message>
    <message>
        <source>Host key</source>
        <translation>主机密钥</translation>
    </message>
    <message>
        <source>Idempotency-Key must have 1 to 255 characters.</source>
        <translation>Idempotency-Key 必须有 1 到 255 个字符。</translation>
    </message>
    <message>
        <source>If-Match must be the ETag of what is changed, or *.</source>
        <translation>If-Match 必须是所更改内容的 ETag，或 *。</translation>
    </message>
    <message>
        <source>If-None-Match of a change is *, and comes without If-Match.</source>
        <translation>更改时 If-None-Match 只能是 *，且不能与 If-Match 同用。</translation>
    </message>
    <message>
        <source>In contact again: it is running.</source>
        <translation>恢复联系：正在运行。</translation>
    </message>
    <message>
        <source>In contact again: it waits.</source>
        <translation>恢复联系：正在等待。</translation>
    </message>
    <message>
        <source>Is being cancelled.</source>
        <translation>正在取消。</translation>
    </message>
    <message>
        <source>Is being stopped early.</source>
        <translation>正在提前停止。</translation>
    </message>
    <message>
        <source>It cannot be placed: %1</source>
        <translation>无法安排：%1</translation>
    </message>
    <message>
        <source>It did not end within %1 seconds. Its log:
%2</source>
        <translation>它在 %1 秒内没有结束。其日志：
%2</translation>
    </message>
    <message>
        <source>It had not been started when the service ended.</source>
        <translation>服务结束时它尚未启动。</translation>
    </message>
    <message>
        <source>It has just been accepted.</source>
        <translation>刚刚接受。</translation>
    </message>
    <message>
        <source>It is being started on %1.</source>
        <translation>正在 %1 上启动。</translation>
    </message>
    <message>
        <source>It is not possible to listen for the metrics of trials: %1.</source>
        <translation>无法监听试验的指标：%1。</translation>
    </message>
    <message>
        <source>It is not possible to listen on %1: %2.</source>
        <translation>无法在 %1 上监听：%2。</translation>
    </message>
    <message>
        <source>It is not reached.</source>
        <translation>无法连接。</translation>
    </message>
    <message>
        <source>It is on hold.</source>
        <translation>已暂缓。</translation>
    </message>
    <message>
        <source>It must run the command that it is given, and the machine&apos;s preCommand must not end it: test it with </source>
        <translation>它必须执行交给它的命令，且机器的 preCommand 不能使其结束，请这样测试：</translation>
    </message>
    <message>
        <source>It must run the command that it is given: test it with </source>
        <translation>它必须执行交给它的命令，请这样测试：</translation>
    </message>
    <message>
        <source>It prints: %1</source>
        <translation>它有输出：%1</translation>
    </message>
    <message>
        <source>It was cancelled before it ran.</source>
        <translation>在运行之前已取消。</translation>
    </message>
    <message>
        <source>It was cancelled before it was started.</source>
        <translation>在启动之前已取消。</translation>
    </message>
    <message>
        <source>It was changed by somebody else meanwhile; read it again, then repeat the change.</source>
        <translation>其间它已被他人更改；请重新读取，再重复此更改。</translation>
    </message>
    <message>
        <source>It was prepared on %1, but never started.</source>
        <translation>已在 %1 上准备好，但从未启动。</translation>
    </message>
    <message>
        <source>Its code is being sent to %1: %2 % of %3.</source>
        <translation>正在将其代码发送到 %1：%3 的 %2 %。</translation>
    </message>
    <message>
        <source>Its folder is not on %1, so nothing is known of how it ended.</source>
        <translation>它的文件夹不在 %1 上，因此不知道它是如何结束的。</translation>
    </message>
    <message>
        <source>Its folders could not be removed: %1</source>
        <translation>无法移除其文件夹：%1</translation>
    </message>
    <message>
        <source>Its machine has no files of this trial.</source>
        <translation>它的机器上没有此试验的文件。</translation>
    </message>
    <message>
        <source>Its path is too long.</source>
        <translation>其路径过长。</translation>
    </message>
    <message>
        <source>Its settings file %1 is not valid: %2</source>
        <translation>其设置文件 %1 无效：%2</translation>
    </message>
    <message>
        <source>Its time limit (maxDurationSeconds) is reached.</source>
        <translation>已达到其时间限制（maxDurationSeconds）。</translation>
    </message>
    <message>
        <source>Keeping the host key</source>
        <translation>保存主机密钥</translation>
    </message>
    <message>
        <source>Keeping the secrets</source>
        <translation>保存机密</translation>
    </message>
    <message>
        <source>Keeping the settings</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Let the machine keep time (NTP); times of its trials are shown as its clock says.</source>
        <translation>请让机器校准时间（NTP）；其试验的时间按它的时钟显示。</translation>
    </message>
    <message>
        <source>Let ~/.bashrc (or the like) print only for people: [ -t 1 ] before an echo. Trialdeck copes, other programs do not.</source>
        <translation>请让 ~/.bashrc（或类似文件）只在交互终端中输出：在 echo 之前加 [ -t 1 ]。Trialdeck 能应对，其他程序则不能。</translation>
    </message>
    <message>
        <source>Line %1 cannot be read, and nothing was taken: %2.</source>
        <translation>第 %1 行无法读取，因此什么都没有接收：%2。</translation>
    </message>
    <message>
        <source>Line %1 has more than 1 MiB; nothing was taken.</source>
        <translation>第 %1 行超过 1 MiB；什么都没有接收。</translation>
    </message>
    <message>
        <source>Line %1, column %2: </source>
        <translation>第 %1 行，第 %2 列：</translation>
    </message>
    <message>
        <source>Listening on %1 lets other computers in: give a certificate (--tls-cert and --tls-key), or accept with --insecure that the token travels in clear.</source>
        <translation>在 %1 上监听会让其他计算机可以访问：请给出证书（--tls-cert 和 --tls-key），或用 --insecure 接受令牌以明文传输。</translation>
    </message>
    <message>
        <source>Listing the code directory was cancelled.</source>
        <translation>已取消列出代码目录。</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Machine &quot;%1&quot; has no GPU %2.</source>
        <translation>机器 &quot;%1&quot; 没有 GPU %2。</translation>
    </message>
    <message>
        <source>Metadata is set before the first trial of a platform; %1 has run trials.</source>
        <translation>元数据须在平台的第一个试验之前设置；%1 已运行过试验。</translation>
    </message>
    <message>
        <source>No code with the hash %1 was uploaded: PUT /api/v1/code/{sha256} first.</source>
        <translation>没有上传哈希为 %1 的代码：请先执行 PUT /api/v1/code/{sha256}。</translation>
    </message>
    <message>
        <source>No computer is known by the name %1.</source>
        <translation>没有名为 %1 的计算机。</translation>
    </message>
    <message>
        <source>No host key with the fingerprint %1 waits to be trusted there.</source>
        <translation>那里没有指纹为 %1 的主机密钥在等待信任。</translation>
    </message>
    <message>
        <source>No memory for another connection.</source>
        <translation>内存不足，无法再建立连接。</translation>
    </message>
    <message>
        <source>No more connections can be made.</source>
        <translation>无法再建立连接。</translation>
    </message>
    <message>
        <source>No more connections can be made: %1.</source>
        <translation>无法再建立连接：%1。</translation>
    </message>
    <message>
        <source>No port is free here: %1.</source>
        <translation>此处没有空闲端口：%1。</translation>
    </message>
    <message>
        <source>No service runs on %1 for this account.</source>
        <translation>%1 上没有为此账户运行的服务。</translation>
    </message>
    <message>
        <source>No service runs on %1, and Trialdeck is not installed there (no trialdeckd in PATH or ~/.local/bin).</source>
        <translation>%1 上没有服务在运行，也未安装 Trialdeck（PATH 和 ~/.local/bin 中都没有 trialdeckd）。</translation>
    </message>
    <message>
        <source>No service runs on %1, and Trialdeck is not installed there.</source>
        <translation>%1 上没有服务在运行，也未安装 Trialdeck。</translation>
    </message>
    <message>
        <source>Nothing more of the agent reached %1 for %2 seconds; the connection may be stuck.</source>
        <translation>已有 %2 秒没有更多代理数据到达 %1；连接可能卡住了。</translation>
    </message>
    <message>
        <source>Of the transfer encodings only &quot;chunked&quot; is understood.</source>
        <translation>传输编码只支持 &quot;chunked&quot;。</translation>
    </message>
    <message>
        <source>On the way to %1</source>
        <translation>前往 %1 的途中</translation>
    </message>
    <message>
        <source>Other people can read the secrets in %1, and its mode cannot be changed.</source>
        <translation>他人可以读取 %1 中的机密，且无法更改其权限。</translation>
    </message>
    <message>
        <source>Packing the code was cancelled.</source>
        <translation>已取消打包代码。</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>口令</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Programs cannot run from %1 (the file system may be mounted with noexec). Choose another folder with the machine&apos;s scratchDir.</source>
        <translation>无法从 %1 运行程序（文件系统可能以 noexec 挂载）。请用该机器的 scratchDir 选择另一个文件夹。</translation>
    </message>
    <message>
        <source>Proposed by the search.</source>
        <translation>由搜索提出。</translation>
    </message>
    <message>
        <source>ProxyJump of %1</source>
        <translation>%1 的 ProxyJump</translation>
    </message>
    <message>
        <source>Qt&apos;s driver for SQLite is not installed. Install it (Debian and Ubuntu: libqt6sql6-sqlite).</source>
        <translation>未安装 Qt 的 SQLite 驱动。请安装它（Debian 和 Ubuntu：libqt6sql6-sqlite）。</translation>
    </message>
    <message>
        <source>Reading the secrets of %1</source>
        <translation>读取 %1 的机密</translation>
    </message>
    <message>
        <source>Requests from pages in a browser are refused.</source>
        <translation>拒绝来自浏览器页面的请求。</translation>
    </message>
    <message>
        <source>Requests from pages of another origin are refused.</source>
        <translation>拒绝来自其他来源的页面的请求。</translation>
    </message>
    <message>
        <source>Search space parameter %1: %2</source>
        <translation>搜索空间参数 %1：%2</translation>
    </message>
    <message>
        <source>See the service&apos;s log (app.agent) for what the agent wrote.</source>
        <translation>代理写出的内容见服务的日志（app.agent）。</translation>
    </message>
    <message>
        <source>See what the account&apos;s shell and the preCommand do there: ssh %1 true</source>
        <translation>请查看账户的 shell 和 preCommand 在那里做了什么：ssh %1 true</translation>
    </message>
    <message>
        <source>See whether this computer reaches it, and whether host and port are right: ssh %1 true</source>
        <translation>请检查本机能否连接它，以及主机和端口是否正确：ssh %1 true</translation>
    </message>
    <message>
        <source>Set the key file or the password of this machine, or let your key in there: ssh-copy-id </source>
        <translation>请设置此机器的密钥文件或密码，或让那里接受您的密钥：ssh-copy-id </translation>
    </message>
    <message>
        <source>Settings must be an object.</source>
        <translation>设置必须是对象。</translation>
    </message>
    <message>
        <source>Something that is not the agent prints on its connection, which is opened again. It may be a program that the login shell leaves in the background: test it with %1</source>
        <translation>代理的连接上有其他程序在输出，连接会重新打开。可能是登录 shell 留在后台的程序，请这样测试：%1</translation>
    </message>
    <message>
        <source>Start a process</source>
        <translation>启动进程</translation>
    </message>
    <message>
        <source>Start the agent</source>
        <translation>启动代理</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>已开始</translation>
    </message>
    <message>
        <source>State unknown: </source>
        <translation>状态未知：</translation>
    </message>
    <message>
        <source>Stopped early</source>
        <translation>已提前停止</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>TLS needs both a certificate and its key.</source>
        <translation>TLS 需要证书及其密钥，两者缺一不可。</translation>
    </message>
    <message>
        <source>Test trial</source>
        <translation>测试试验</translation>
    </message>
    <message>
        <source>That was not the passphrase of %1. Its passphrase:</source>
        <translation>%1 的口令不正确。它的口令：</translation>
    </message>
    <message>
        <source>The %1 %2 is NNI&apos;s, and runs in NNI: register Trialdeck there with `trialdeck nni register`, write `trainingService: {platform: trialdeck}` into the file (v2 schema), and start it with `nnictl create --config FILE`. Without NNI, the tuners Random and GridSearch can be used.</source>
        <translation>%1 %2 属于 NNI，在 NNI 中运行：请用 `trialdeck nni register` 在 NNI 中注册 Trialdeck，在文件中写入 `trainingService: {platform: trialdeck}`（v2 格式），并用 `nnictl create --config FILE` 启动。不使用 NNI 时，可以使用调优器 Random 和 GridSearch。</translation>
    </message>
    <message>
        <source>The %1 `%2` must not hold %3. It also travels to other programs, which may take that for something else; %4</source>
        <translation>%1 `%2` 不得含有 %3。它还会传给其他程序，这些程序可能会把它当作别的内容；%4</translation>
    </message>
    <message>
        <source>The GPU query&apos;s answer is not nvidia-smi&apos;s: it begins with &lt;%1&gt;.</source>
        <translation>GPU 查询得到的不是 nvidia-smi 的回应：它以 &lt;%1&gt; 开头。</translation>
    </message>
    <message>
        <source>The JSON is nested more than %1 levels deep.</source>
        <translation>JSON 的嵌套超过 %1 层。</translation>
    </message>
    <message>
        <source>The NVIDIA driver is not running. Check that it is installed for the kernel that runs now.</source>
        <translation>NVIDIA 驱动没有运行。请检查是否已为当前运行的内核安装驱动。</translation>
    </message>
    <message>
        <source>The NVIDIA driver runs, but it found no GPU.</source>
        <translation>NVIDIA 驱动正在运行，但没有找到 GPU。</translation>
    </message>
    <message>
        <source>The NVIDIA driver was updated while the old one is still loaded. Restart the machine, or reload the driver.</source>
        <translation>NVIDIA 驱动已更新，但旧驱动仍处于加载状态。请重启机器，或重新加载驱动。</translation>
    </message>
    <message>
        <source>The ProxyCommand cannot be started: %1.</source>
        <translation>无法启动 ProxyCommand：%1。</translation>
    </message>
    <message>
        <source>The ProxyCommand of your SSH settings for %1 is not run: its %%2 stands for `%3`, which a shell could take for more than a name. Correct the user, the host or the setting that it comes from.</source>
        <translation>不会执行 SSH 设置中用于 %1 的 ProxyCommand：其中的 %%2 代表 `%3`，shell 可能不只把它当作名称。请更正用户、主机或它所来自的设置。</translation>
    </message>
    <message>
        <source>The SHA-256 of what came is %1, not the one in the address; send it again.</source>
        <translation>收到内容的 SHA-256 是 %1，与地址中的不一致；请重新发送。</translation>
    </message>
    <message>
        <source>The SSH settings of this account name &quot;%1&quot; as the port of %2, which is no number from 1 to 65535; correct Port in ~/.ssh/config.</source>
        <translation>此帐户的 SSH 设置将 &quot;%1&quot; 指定为 %2 的端口，它不是 1 到 65535 之间的数字；请更正 ~/.ssh/config 中的 Port。</translation>
    </message>
    <message>
        <source>The account&apos;s shell did not start the agent (exit code %1)</source>
        <translation>帐户的 shell 未能启动代理（退出码 %1）</translation>
    </message>
    <message>
        <source>The address %1 is in use by another program; choose another port, or 0 for a free one.</source>
        <translation>地址 %1 正被另一个程序使用；请选择其他端口，或用 0 自动选取空闲端口。</translation>
    </message>
    <message>
        <source>The address must end in the SHA-256 of the code: 64 digits of 0 to 9 and a to f.</source>
        <translation>地址必须以代码的 SHA-256 结尾：64 位，由 0 到 9 和 a 到 f 组成。</translation>
    </message>
    <message>
        <source>The address of the request is malformed.</source>
        <translation>请求的地址格式不正确。</translation>
    </message>
    <message>
        <source>The agent %1 cannot be read.</source>
        <translation>无法读取代理 %1。</translation>
    </message>
    <message>
        <source>The agent %1 was changed: start the service anew.</source>
        <translation>代理 %1 已被更改：请重新启动服务。</translation>
    </message>
    <message>
        <source>The agent did not answer within 10 seconds.</source>
        <translation>代理在 10 秒内没有回应。</translation>
    </message>
    <message>
        <source>The agent did not arrive whole in %1%2; the disk may be full, or a quota or a limit (ulimit) reached. Make room there, or choose another folder with the machine&apos;s scratchDir.</source>
        <translation>代理未能完整写入 %1%2；可能是磁盘已满，或达到了配额或限制 (ulimit)。请在那里腾出空间，或通过机器的 scratchDir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>The agent does not answer.</source>
        <translation>代理没有回应。</translation>
    </message>
    <message>
        <source>The agent ended before its first word (exit code %1); the last that was printed: %2</source>
        <translation>代理在发出第一条消息之前就已结束（退出码 %1）；最后的输出：%2</translation>
    </message>
    <message>
        <source>The agent refused the service: %1</source>
        <translation>代理拒绝了服务：%1</translation>
    </message>
    <message>
        <source>The agent sent something that is no frame; it is started again.</source>
        <translation>代理发来的内容不是帧；将重新启动代理。</translation>
    </message>
    <message>
        <source>The agent sent something that is no message.</source>
        <translation>代理发来的内容不是消息。</translation>
    </message>
    <message>
        <source>The agent that runs trials ended unexpectedly.</source>
        <translation>运行试验的代理意外结束。</translation>
    </message>
    <message>
        <source>The agent&apos;s folder %1 cannot be written: %2. Choose another one with the machine&apos;s scratchDir.</source>
        <translation>无法写入代理的文件夹 %1：%2。请通过机器的 scratchDir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>The agent&apos;s messages do not follow each other.</source>
        <translation>代理的消息前后不连续。</translation>
    </message>
    <message>
        <source>The answer of nvidia-smi is not whole; it will be asked again.</source>
        <translation>nvidia-smi 的回应不完整；将再次查询。</translation>
    </message>
    <message>
        <source>The archive is refused: %1 %2.</source>
        <translation>归档被拒绝：%1 %2。</translation>
    </message>
    <message>
        <source>The archive is refused: it holds a name that cannot be read.</source>
        <translation>归档被拒绝：其中有无法读取的名称。</translation>
    </message>
    <message>
        <source>The archive is refused: it holds more than %1 entries.</source>
        <translation>归档被拒绝：其中的条目超过 %1 个。</translation>
    </message>
    <message>
        <source>The archive is refused: it holds too many folders.</source>
        <translation>归档被拒绝：其中的文件夹过多。</translation>
    </message>
    <message>
        <source>The archive is refused: unpacked it is larger than %1 MiB.</source>
        <translation>归档被拒绝：解压后超过 %1 MiB。</translation>
    </message>
    <message>
        <source>The audit log %1 cannot be written: %2.</source>
        <translation>无法写入审计日志 %1：%2。</translation>
    </message>
    <message>
        <source>The body</source>
        <translation>请求正文</translation>
    </message>
    <message>
        <source>The body is %1.</source>
        <translation>请求正文无效：%1。</translation>
    </message>
    <message>
        <source>The body is no object with a list &quot;metrics&quot;.</source>
        <translation>请求正文不是带有列表“metrics”的对象。</translation>
    </message>
    <message>
        <source>The body is no object with the texts &quot;tag&quot; and &quot;msg&quot;.</source>
        <translation>请求正文不是带有文本“tag”和“msg”的对象。</translation>
    </message>
    <message>
        <source>The body must be a JSON object.</source>
        <translation>请求正文必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>The body of the request did not come in time.</source>
        <translation>请求正文未能及时到达。</translation>
    </message>
    <message>
        <source>The body of the request is larger than %1 bytes.</source>
        <translation>请求正文超过 %1 字节。</translation>
    </message>
    <message>
        <source>The body of the request is malformed.</source>
        <translation>请求正文格式不正确。</translation>
    </message>
    <message>
        <source>The certificate %1 cannot be read: %2.</source>
        <translation>无法读取证书 %1：%2。</translation>
    </message>
    <message>
        <source>The clientId &quot;%1&quot; belongs to a trial with other content (trial %2).</source>
        <translation>clientId &quot;%1&quot; 属于另一个内容不同的试验（试验 %2）。</translation>
    </message>
    <message>
        <source>The code cannot be packed</source>
        <translation>无法打包代码</translation>
    </message>
    <message>
        <source>The code directory %1 %2belongs to Trialdeck itself and holds its data, token and passwords, which trials must not get. Choose the folder of your code.</source>
        <translation>代码目录 %1 %2属于 Trialdeck 自身，存有其数据、令牌和密码，不能让试验取得。请选择您的代码所在的文件夹。</translation>
    </message>
    <message>
        <source>The code directory %1 holds %2, and %3 are allowed.</source>
        <translation>代码目录 %1 含有 %2，允许的上限是 %3。</translation>
    </message>
    <message>
        <source>The code directory &quot;%1&quot; cannot be read.</source>
        <translation>无法读取代码目录 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>The code directory &quot;%1&quot; does not exist.</source>
        <translation>代码目录 &quot;%1&quot; 不存在。</translation>
    </message>
    <message>
        <source>The code directory &quot;%1&quot; is a file, not a folder.</source>
        <translation>代码目录 &quot;%1&quot; 是文件，不是文件夹。</translation>
    </message>
    <message>
        <source>The code directory cannot be copied</source>
        <translation>无法复制代码目录</translation>
    </message>
    <message>
        <source>The command cannot be made</source>
        <translation>无法生成命令</translation>
    </message>
    <message>
        <source>The command with the trial&apos;s parameters</source>
        <translation>带有试验参数的命令</translation>
    </message>
    <message>
        <source>The connection broke after the login.</source>
        <translation>连接在登录后中断。</translation>
    </message>
    <message>
        <source>The connection broke.</source>
        <translation>连接中断。</translation>
    </message>
    <message>
        <source>The connection has ended.</source>
        <translation>连接已结束。</translation>
    </message>
    <message>
        <source>The connection is silent: nothing came for %1 seconds.</source>
        <translation>连接没有动静：%1 秒内没有收到任何内容。</translation>
    </message>
    <message>
        <source>The connection to %1 broke before the login: %2.</source>
        <translation>与 %1 的连接在登录前中断：%2。</translation>
    </message>
    <message>
        <source>The connection to %1 broke during the login: %2.</source>
        <translation>与 %1 的连接在登录过程中中断：%2。</translation>
    </message>
    <message>
        <source>The connection to the agent broke during an upload.</source>
        <translation>与代理的连接在上传过程中中断。</translation>
    </message>
    <message>
        <source>The connection to the agent was closed.</source>
        <translation>与代理的连接已关闭。</translation>
    </message>
    <message>
        <source>The data directory has a line break in its name.</source>
        <translation>数据目录的名称中有换行符。</translation>
    </message>
    <message>
        <source>The description of the interface is missing from this program.</source>
        <translation>此程序中缺少接口描述。</translation>
    </message>
    <message>
        <source>The disk of %1 is full: trials cannot be started there, and running ones cannot write. Free some space%2.</source>
        <translation>%1 的磁盘已满：无法在那里启动试验，运行中的试验也无法写入。请腾出一些空间%2。</translation>
    </message>
    <message>
        <source>The disk that holds %1 is full. Free some space there; until then nothing new can be kept.</source>
        <translation>%1 所在的磁盘已满。请在那里腾出一些空间；在此之前无法保存任何新内容。</translation>
    </message>
    <message>
        <source>The disk that holds %1 reports an error. Check that it is there and healthy.</source>
        <translation>%1 所在的磁盘报告了错误。请检查磁盘是否存在、是否正常。</translation>
    </message>
    <message>
        <source>The driver cannot reach one of the GPUs. The machine may need a restart.</source>
        <translation>驱动无法访问其中一个 GPU。可能需要重启机器。</translation>
    </message>
    <message>
        <source>The environment variable %1 holds this secret; change it there.</source>
        <translation>此机密由环境变量 %1 提供；请在那里更改。</translation>
    </message>
    <message>
        <source>The experiment &quot;%1&quot; is %2 and takes no trials any more.</source>
        <translation>实验 &quot;%1&quot; 的状态为 %2，不再接受试验。</translation>
    </message>
    <message>
        <source>The experiment &quot;%1&quot; is %2.</source>
        <translation>实验 &quot;%1&quot; 的状态为 %2。</translation>
    </message>
    <message>
        <source>The experiment &quot;%1&quot; is %2. Stop it first: it has trials under way.</source>
        <translation>实验 &quot;%1&quot; 的状态为 %2。请先停止它：它有正在进行的试验。</translation>
    </message>
    <message>
        <source>The experiment &quot;%1&quot; is %2: it takes no trials.</source>
        <translation>实验 &quot;%1&quot; 的状态为 %2：它不接受试验。</translation>
    </message>
    <message>
        <source>The experiment &quot;%1&quot; is %2: its trials cannot be retried.</source>
        <translation>实验 &quot;%1&quot; 的状态为 %2：无法重试其试验。</translation>
    </message>
    <message>
        <source>The experiment &quot;%1&quot; uses this platform: stop it first.</source>
        <translation>实验 &quot;%1&quot; 正在使用此平台：请先停止它。</translation>
    </message>
    <message>
        <source>The experiment could not be prepared: </source>
        <translation>无法准备实验：</translation>
    </message>
    <message>
        <source>The experiment failed before this trial started.</source>
        <translation>实验在此试验开始之前已失败。</translation>
    </message>
    <message>
        <source>The experiment in the address must end with the trial&apos;s id, a dot and its token, for example NNI_EXP_ID=&quot;${TRIALDECK_INGEST_URL##*/}.$TRIALDECK_INGEST_TOKEN&quot;.</source>
        <translation>地址中的实验必须以试验的 id、一个点和它的令牌结尾，例如 NNI_EXP_ID=&quot;${TRIALDECK_INGEST_URL##*/}.$TRIALDECK_INGEST_TOKEN&quot;。</translation>
    </message>
    <message>
        <source>The experiment was changed by somebody else meanwhile: read it again.</source>
        <translation>在此期间实验已被他人更改：请重新读取。</translation>
    </message>
    <message>
        <source>The experiment was deleted meanwhile.</source>
        <translation>在此期间实验已被删除。</translation>
    </message>
    <message>
        <source>The experiment was not created</source>
        <translation>实验未创建</translation>
    </message>
    <message>
        <source>The experiment was stopped before this trial started.</source>
        <translation>实验在此试验开始之前已停止。</translation>
    </message>
    <message>
        <source>The file is not a .tar.gz archive, or it is damaged.</source>
        <translation>文件不是 .tar.gz 归档，或已损坏。</translation>
    </message>
    <message>
        <source>The files of trial %1 were removed (cleanup).</source>
        <translation>试验 %1 的文件已被移除（清理）。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made. Check that %2 is writable and its disk has space, or choose another folder with --data-dir.</source>
        <translation>无法创建文件夹 %1。请检查 %2 是否可写、其磁盘是否有空间，或用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made: choose another place with --data-dir.</source>
        <translation>无法创建文件夹 %1：请用 --data-dir 选择其他位置。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be written to. Make it writable, or choose another one with --data-dir.</source>
        <translation>无法写入文件夹 %1。请使其可写，或用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>The folder %1 lies more than %2 folders deep.</source>
        <translation>文件夹 %1 的深度超过 %2 层。</translation>
    </message>
    <message>
        <source>The header of the request did not come in time.</source>
        <translation>请求头未能及时到达。</translation>
    </message>
    <message>
        <source>The header of the request is larger than %1 bytes.</source>
        <translation>请求头超过 %1 字节。</translation>
    </message>
    <message>
        <source>The host `%1` must not begin with `-`, as programs take that for an option.</source>
        <translation>主机 `%1` 不得以 `-` 开头，因为程序会把它当作选项。</translation>
    </message>
    <message>
        <source>The host is empty: write the name or the address of a machine.</source>
        <translation>主机为空：请填写机器的名称或地址。</translation>
    </message>
    <message>
        <source>The host key of %1 (%2) is marked as revoked in %3. Nothing was sent to it.</source>
        <translation>%1 的主机密钥 (%2) 在 %3 中被标记为已吊销。没有向它发送任何内容。</translation>
    </message>
    <message>
        <source>The host key of %1 (%2) is not known, and your SSH settings refuse unknown ones (StrictHostKeyChecking).</source>
        <translation>%1 的主机密钥 (%2) 未知，而您的 SSH 设置拒绝未知密钥 (StrictHostKeyChecking)。</translation>
    </message>
    <message>
        <source>The host key of %1 (%2) was not accepted.</source>
        <translation>%1 的主机密钥 (%2) 未被接受。</translation>
    </message>
    <message>
        <source>The host key of %1 cannot be read.</source>
        <translation>无法读取 %1 的主机密钥。</translation>
    </message>
    <message>
        <source>The host key of %1 has changed, so nothing was sent to it: another machine may pretend to be it, or it was installed anew. Known is %2 (%3), shown was %4. Ask its administrator; if the new key is right: trialdeck machine trust.</source>
        <translation>%1 的主机密钥已改变，因此没有向它发送任何内容：可能有另一台机器在冒充它，也可能是它重装了系统。已知的是 %2 (%3)，出示的是 %4。请询问其管理员；如果新密钥正确，请执行：trialdeck machine trust。</translation>
    </message>
    <message>
        <source>The id of a platform has 1 to 64 letters, digits, &quot;.&quot;, &quot;_&quot; and &quot;-&quot;, and begins with a letter or digit.</source>
        <translation>平台的 ID 由 1 到 64 个字母、数字、&quot;.&quot;、&quot;_&quot; 和 &quot;-&quot; 组成，并以字母或数字开头。</translation>
    </message>
    <message>
        <source>The index of a parameter is not negative.</source>
        <translation>参数的索引不能为负数。</translation>
    </message>
    <message>
        <source>The key %1 cannot be read, or does not belong to the certificate: %2.</source>
        <translation>无法读取密钥 %1，或它与证书不匹配：%2。</translation>
    </message>
    <message>
        <source>The key %1, for %2, needs its passphrase.</source>
        <translation>用于 %2 的密钥 %1 需要口令。</translation>
    </message>
    <message>
        <source>The key file %1 of %2 cannot be read.</source>
        <translation>无法读取 %2 的密钥文件 %1。</translation>
    </message>
    <message>
        <source>The keyring did not give the secrets of %1. Unlock it, and try again.</source>
        <translation>密钥环没有给出 %1 的机密。请解锁密钥环，然后重试。</translation>
    </message>
    <message>
        <source>The keyring did not remove the secrets of %1. Unlock it, and try again.</source>
        <translation>密钥环没有移除 %1 的机密。请解锁密钥环，然后重试。</translation>
    </message>
    <message>
        <source>The keyring did not take the secrets of %1. Unlock it, and try again.</source>
        <translation>密钥环没有接受 %1 的机密。请解锁密钥环，然后重试。</translation>
    </message>
    <message>
        <source>The kind &quot;%1&quot; has no setting &quot;%2&quot;.</source>
        <translation>类型 &quot;%1&quot; 没有设置 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>The link %1 leads in a circle.</source>
        <translation>链接 %1 形成循环。</translation>
    </message>
    <message>
        <source>The link %1 points at %2, %3.</source>
        <translation>链接 %1 指向 %2，%3。</translation>
    </message>
    <message>
        <source>The link %1 points at %2, outside the code directory %3, and would lead nowhere where the trial runs.</source>
        <translation>链接 %1 指向代码目录 %3 之外的 %2，在试验运行的地方会失效。</translation>
    </message>
    <message>
        <source>The login shell did not start the agent within %1 seconds; %2. It must ask nothing and wait for nothing where no person is: test it with %3</source>
        <translation>登录 shell 在 %1 秒内未启动代理；%2。在无人值守时，它不得提问，也不得等待任何输入：请用此命令测试：%3</translation>
    </message>
    <message>
        <source>The login shell gives commands another standard input than the connection&apos;s. What it reads first (~/.bashrc or the like) must not close or replace it.</source>
        <translation>登录 shell 为命令提供的标准输入不是连接的标准输入。它最先读取的文件（~/.bashrc 等）不得关闭或替换标准输入。</translation>
    </message>
    <message>
        <source>The login to %1 was cancelled.</source>
        <translation>登录 %1 已取消。</translation>
    </message>
    <message>
        <source>The machine is not in use any more.</source>
        <translation>机器已不再使用。</translation>
    </message>
    <message>
        <source>The machine&apos;s agent found more than that; no more of them are kept.</source>
        <translation>机器的代理发现的不止这些；更多的不再保留。</translation>
    </message>
    <message>
        <source>The machine&apos;s agent sent a table of GPUs of more than %1 MiB, which was dropped; the table is an old one.</source>
        <translation>机器的代理发来的 GPU 列表超过 %1 MiB，已被丢弃；当前的列表是旧的。</translation>
    </message>
    <message>
        <source>The machine&apos;s agent sent more than %1 findings; the others are not shown.</source>
        <translation>机器的代理发来的检查结果超过 %1 条；其余的不显示。</translation>
    </message>
    <message>
        <source>The machine&apos;s preCommand failed with exit code %1.</source>
        <translation>机器的 preCommand 失败，退出码 %1。</translation>
    </message>
    <message>
        <source>The machine&apos;s shell answered something unknown.</source>
        <translation>机器的 shell 给出了无法识别的回应。</translation>
    </message>
    <message>
        <source>The metadata key </source>
        <translation>元数据键 </translation>
    </message>
    <message>
        <source>The metadata key &quot;%1&quot; was not set.</source>
        <translation>元数据键 &quot;%1&quot; 尚未设置。</translation>
    </message>
    <message>
        <source>The metric in line %1 has more than 1 MiB; nothing was taken.</source>
        <translation>第 %1 行的指标超过 1 MiB；什么都没有接收。</translation>
    </message>
    <message>
        <source>The metric pattern cannot be used with a limit on its steps.</source>
        <translation>无法对此指标模式限制步数。</translation>
    </message>
    <message>
        <source>The metric pattern goes on with standard output; %1 KiB of it were left out.</source>
        <translation>指标模式继续处理标准输出；其中有 %1 KiB 被略过。</translation>
    </message>
    <message>
        <source>The metric pattern is longer than %1 characters.</source>
        <translation>指标模式超过 %1 个字符。</translation>
    </message>
    <message>
        <source>The metric pattern is no regular expression: %1 at character %2.</source>
        <translation>指标模式不是正则表达式：%1，位于第 %2 个字符。</translation>
    </message>
    <message>
        <source>The metric pattern matches “%1”, which is no number.</source>
        <translation>指标模式匹配到“%1”，它不是数字。</translation>
    </message>
    <message>
        <source>The metric pattern needs a group (?&lt;value&gt;…) around the number.</source>
        <translation>指标模式需要用一个组 (?&lt;value&gt;…) 括住数字。</translation>
    </message>
    <message>
        <source>The metric pattern reads standard output slower than it comes; lines are left out.</source>
        <translation>指标模式读取标准输出的速度跟不上输出；部分行被略过。</translation>
    </message>
    <message>
        <source>The metric pattern takes too many steps on a line of standard output; its rest is left out.</source>
        <translation>指标模式在标准输出的一行上所需步数过多；该行的其余部分被略过。</translation>
    </message>
    <message>
        <source>The metric pattern takes too many steps on a line of standard output; the line is left out.</source>
        <translation>指标模式在标准输出的一行上所需步数过多；该行被略过。</translation>
    </message>
    <message>
        <source>The metric pattern takes too many steps on standard output; lines are left out.</source>
        <translation>指标模式在标准输出上所需步数过多；部分行被略过。</translation>
    </message>
    <message>
        <source>The metrics file holds bytes that are no record; reading goes on at the next record.</source>
        <translation>指标文件中有不构成记录的字节；从下一条记录起继续读取。</translation>
    </message>
    <message>
        <source>The name of a log holds no slash.</source>
        <translation>日志名称中不能有斜杠。</translation>
    </message>
    <message>
        <source>The name of an experiment has at most %1 characters.</source>
        <translation>实验名称最多 %1 个字符。</translation>
    </message>
    <message>
        <source>The packed code changed while it was being sent.</source>
        <translation>打包的代码在发送过程中发生了变化。</translation>
    </message>
    <message>
        <source>The parameter %1 holds a NUL character, which a command line cannot carry. Read it from the file that TRIALDECK_PARAMETERS_FILE names instead.</source>
        <translation>参数 %1 含有 NUL 字符，命令行无法传递它。请改从 TRIALDECK_PARAMETERS_FILE 指定的文件中读取。</translation>
    </message>
    <message>
        <source>The parameter %1 is given twice.</source>
        <translation>参数 %1 给出了两次。</translation>
    </message>
    <message>
        <source>The parameter &quot;%1&quot; is empty.</source>
        <translation>参数 &quot;%1&quot; 为空。</translation>
    </message>
    <message>
        <source>The parameter &quot;%1&quot; is given twice.</source>
        <translation>参数 &quot;%1&quot; 给出了两次。</translation>
    </message>
    <message>
        <source>The parameter &quot;%1&quot; must be a whole number from %2 on.</source>
        <translation>参数 &quot;%1&quot; 必须是不小于 %2 的整数。</translation>
    </message>
    <message>
        <source>The parameter &quot;%1&quot; must be a whole number from %2 to %3.</source>
        <translation>参数 &quot;%1&quot; 必须是 %2 到 %3 之间的整数。</translation>
    </message>
    <message>
        <source>The parameter &quot;%1&quot; must be true or false.</source>
        <translation>参数 &quot;%1&quot; 必须是 true 或 false。</translation>
    </message>
    <message>
        <source>The parameter &quot;after&quot; is not a `next` that this service gave for this sort and order.</source>
        <translation>参数 &quot;after&quot; 不是本服务针对此排序字段和顺序给出的 `next`。</translation>
    </message>
    <message>
        <source>The parameter &quot;metrics&quot; must be none, last or all.</source>
        <translation>参数 &quot;metrics&quot; 必须是 none、last 或 all。</translation>
    </message>
    <message>
        <source>The parameter &quot;order&quot; must be asc or desc.</source>
        <translation>参数 &quot;order&quot; 必须是 asc 或 desc。</translation>
    </message>
    <message>
        <source>The parameters are %1.</source>
        <translation>参数无效：%1。</translation>
    </message>
    <message>
        <source>The parts of the agent&apos;s answer do not follow each other.</source>
        <translation>代理回应的各部分前后不连续。</translation>
    </message>
    <message>
        <source>The path of a file has no empty part, no &quot;.&quot; and no &quot;..&quot;.</source>
        <translation>文件路径中不能有空的部分、&quot;.&quot; 或 &quot;..&quot;。</translation>
    </message>
    <message>
        <source>The platform %1 is not open.</source>
        <translation>平台 %1 未打开。</translation>
    </message>
    <message>
        <source>The platform %1 of this machine is not open.</source>
        <translation>这台机器的平台 %1 未打开。</translation>
    </message>
    <message>
        <source>The platform &quot;local&quot; is this computer and always there.</source>
        <translation>平台 &quot;local&quot; 就是本机，始终存在。</translation>
    </message>
    <message>
        <source>The platform has no machine %1 any more.</source>
        <translation>平台中已没有机器 %1。</translation>
    </message>
    <message>
        <source>The platform has no machine %1 any more: folders of trials stay there.</source>
        <translation>平台中已没有机器 %1：试验的文件夹仍留在那里。</translation>
    </message>
    <message>
        <source>The platform has no machine %1.</source>
        <translation>平台中没有机器 %1。</translation>
    </message>
    <message>
        <source>The platform is being closed.</source>
        <translation>平台正在关闭。</translation>
    </message>
    <message>
        <source>The platform is closed.</source>
        <translation>平台已关闭。</translation>
    </message>
    <message>
        <source>The platform is not open.</source>
        <translation>平台未打开。</translation>
    </message>
    <message>
        <source>The platform is open already.</source>
        <translation>平台已经打开。</translation>
    </message>
    <message>
        <source>The platform was changed by somebody else meanwhile: read it again.</source>
        <translation>在此期间平台已被他人更改：请重新读取。</translation>
    </message>
    <message>
        <source>The platform was removed by somebody else meanwhile.</source>
        <translation>在此期间平台已被他人移除。</translation>
    </message>
    <message>
        <source>The port %1 does not exist: ports are from 1 to 65535.</source>
        <translation>端口 %1 不存在：端口范围是 1 到 65535。</translation>
    </message>
    <message>
        <source>The program %1 cannot be started: %2.</source>
        <translation>无法启动程序 %1：%2。</translation>
    </message>
    <message>
        <source>The query of the address holds a broken %-escape or invalid UTF-8.</source>
        <translation>地址的查询部分含有损坏的 % 转义或无效的 UTF-8。</translation>
    </message>
    <message>
        <source>The search space is %1.</source>
        <translation>搜索空间无效：%1。</translation>
    </message>
    <message>
        <source>The search space is empty: name at least one parameter.</source>
        <translation>搜索空间为空：请至少指定一个参数。</translation>
    </message>
    <message>
        <source>The search space must be a JSON object of parameters, not %1.</source>
        <translation>搜索空间必须是由参数组成的 JSON 对象，不能是 %1。</translation>
    </message>
    <message>
        <source>The secrets in %1 are damaged; remove the file and enter them again.</source>
        <translation>%1 中的机密已损坏；请移除该文件并重新输入机密。</translation>
    </message>
    <message>
        <source>The server does not connect to %1:%2 for us.</source>
        <translation>服务器不为我们连接 %1:%2。</translation>
    </message>
    <message>
        <source>The server refuses a session for commands (MaxSessions, or a restricted account).</source>
        <translation>服务器拒绝建立执行命令的会话（MaxSessions 限制，或帐户受限）。</translation>
    </message>
    <message>
        <source>The server refuses to run a command for this account.</source>
        <translation>服务器拒绝为此帐户执行命令。</translation>
    </message>
    <message>
        <source>The service answered with curves that are no JSON.</source>
        <translation>服务回应的曲线不是 JSON。</translation>
    </message>
    <message>
        <source>The service answered with something that is no JSON.</source>
        <translation>服务回应的内容不是 JSON。</translation>
    </message>
    <message>
        <source>The service answered with status %1.</source>
        <translation>服务回应的状态码为 %1。</translation>
    </message>
    <message>
        <source>The service answered without curves.</source>
        <translation>服务的回应中没有曲线。</translation>
    </message>
    <message>
        <source>The service at %1 cannot be reached: %2.</source>
        <translation>无法连接 %1 处的服务：%2。</translation>
    </message>
    <message>
        <source>The service at %1 has closed the connection.</source>
        <translation>%1 处的服务已关闭连接。</translation>
    </message>
    <message>
        <source>The service at %1 sent something that is no event.</source>
        <translation>%1 处的服务发来的内容不是事件。</translation>
    </message>
    <message>
        <source>The service does not serve yet.</source>
        <translation>服务尚未开始提供服务。</translation>
    </message>
    <message>
        <source>The service has not answered in time; post it again, what is known already does not count twice.</source>
        <translation>服务没有及时答复；请再次提交，已知的内容不会重复计入。</translation>
    </message>
    <message>
        <source>The service has not answered in time; the work may still be done.</source>
        <translation>服务未及时回应；操作仍可能完成。</translation>
    </message>
    <message>
        <source>The service is ending.</source>
        <translation>服务正在结束。</translation>
    </message>
    <message>
        <source>The service is starting.</source>
        <translation>服务正在启动。</translation>
    </message>
    <message>
        <source>The service needs a token.</source>
        <translation>服务需要令牌。</translation>
    </message>
    <message>
        <source>The service on %1 could not be started: %2</source>
        <translation>无法启动 %1 上的服务：%2</translation>
    </message>
    <message>
        <source>The service on %1 has no socket that a tunnel can lead to (socket in its endpoint.json: &quot;%2&quot;, of at most %3 bytes). Update Trialdeck there, or give its data directory a shorter path on a local disk.</source>
        <translation>%1 上的服务没有可供隧道连接的套接字（其 endpoint.json 中的 socket 为 &quot;%2&quot;，最多 %3 字节）。请更新那里的 Trialdeck，或让其数据目录使用本地磁盘上更短的路径。</translation>
    </message>
    <message>
        <source>The service sent an event that cannot be read.</source>
        <translation>服务发来了无法读取的事件。</translation>
    </message>
    <message>
        <source>The service&apos;s reply holds no %1 where one is expected.</source>
        <translation>服务的回复中缺少应有的 %1。</translation>
    </message>
    <message>
        <source>The settings of %1 name no machine %2.</source>
        <translation>%1 的设置中没有机器 %2。</translation>
    </message>
    <message>
        <source>The settings of this machine cannot be used: %1 Correct them, or remove the machine.</source>
        <translation>无法使用这台机器的设置：%1请更正设置，或移除这台机器。</translation>
    </message>
    <message>
        <source>The socket %1 cannot be made: %2.</source>
        <translation>无法创建套接字 %1：%2。</translation>
    </message>
    <message>
        <source>The store %1 cannot be read: %2. Check who owns it and its permissions.</source>
        <translation>无法读取数据存储 %1：%2。请检查其所有者和权限。</translation>
    </message>
    <message>
        <source>The store %1 is damaged (%2) and was left as it is, because a copy of it cannot be kept. %3</source>
        <translation>数据存储 %1 已损坏 (%2)，因无法保留其副本而保持原样。%3</translation>
    </message>
    <message>
        <source>The store %1 is damaged and was left as it is, because a copy of it cannot be kept. Free some space on its disk, or put a copy of it back.</source>
        <translation>数据存储 %1 已损坏，因无法保留其副本而保持原样。请在其磁盘上腾出一些空间，或还原它的一份副本。</translation>
    </message>
    <message>
        <source>The store %1 is damaged and was left as it is. Put a copy of it back, or move it away to start with an empty one.</source>
        <translation>数据存储 %1 已损坏，已保持原样。请还原它的一份副本，或将其移走以便从空的数据存储开始。</translation>
    </message>
    <message>
        <source>The store %1 is damaged: %2. %3 experiments and %4 trials were saved; the store as it was found is kept as %5.</source>
        <translation>数据存储 %1 已损坏：%2。已挽救 %3 个实验和 %4 个试验；原有的数据存储保留为 %5。</translation>
    </message>
    <message>
        <source>The store %1 is damaged: %2. All else was opened; the store as it was found is kept as %3.</source>
        <translation>数据存储 %1 已损坏：%2。其他内容均已打开；原有的数据存储保留为 %3。</translation>
    </message>
    <message>
        <source>The store in %1 cannot be opened or made. Check that the folder exists and is writable, or choose another one with --data-dir.</source>
        <translation>无法打开或创建 %1 中的数据存储。请检查文件夹是否存在且可写，或用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>The store in %1 could not do its work.</source>
        <translation>%1 中的数据存储未能完成操作。</translation>
    </message>
    <message>
        <source>The store in %1 is in use by another process. Stop the other service, or choose another folder with --data-dir.</source>
        <translation>%1 中的数据存储正被另一个进程使用。请停止另一个服务，或用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>The store is closed.</source>
        <translation>数据存储已关闭。</translation>
    </message>
    <message>
        <source>The store is damaged: the experiments of %1 trials are missing, so these trials are not shown. They stay in the store.</source>
        <translation>数据存储已损坏：%1 个试验所属的实验缺失，因此不显示这些试验。它们仍留在数据存储中。</translation>
    </message>
    <message>
        <source>The store is not open.</source>
        <translation>数据存储未打开。</translation>
    </message>
    <message>
        <source>The store was written by a newer Trialdeck (its version is %1, this program knows up to %2). It was not touched. Start the newer program, or choose another folder with --data-dir.</source>
        <translation>数据存储由更新版本的 Trialdeck 写入（其版本为 %1，此程序最高支持 %2）。数据存储未被改动。请启动较新的程序，或用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>The token &quot;%1&quot; has the scope &quot;%2&quot;, and this needs &quot;%3&quot;.</source>
        <translation>令牌 &quot;%1&quot; 的权限范围是 &quot;%2&quot;，而此操作需要 &quot;%3&quot;。</translation>
    </message>
    <message>
        <source>The token of the data directory cannot be revoked; rotate it instead.</source>
        <translation>数据目录的令牌不能吊销；请改为轮换它。</translation>
    </message>
    <message>
        <source>The token of this trial is required: Authorization: Bearer, and what TRIALDECK_INGEST_TOKEN holds in its environment.</source>
        <translation>需要此试验的令牌：Authorization: Bearer，加上其环境变量 TRIALDECK_INGEST_TOKEN 的内容。</translation>
    </message>
    <message>
        <source>The tokens are being changed by another request; try again.</source>
        <translation>另一个请求正在更改令牌；请重试。</translation>
    </message>
    <message>
        <source>The tokens of this service cannot be changed.</source>
        <translation>此服务的令牌无法更改。</translation>
    </message>
    <message>
        <source>The trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>The trial needs %1 GPUs, and %2 were chosen for it.</source>
        <translation>试验需要 %1 个 GPU，而为它选择了 %2 个。</translation>
    </message>
    <message>
        <source>The trial was cancelled before the metric pattern had read all of its output; the rest is left out.</source>
        <translation>试验在指标模式读完其全部输出之前被取消；其余输出被略过。</translation>
    </message>
    <message>
        <source>The trial&apos;s parameters and environment are larger than 1 MiB.</source>
        <translation>试验的参数和环境变量超过 1 MiB。</translation>
    </message>
    <message>
        <source>The trials were not accepted</source>
        <translation>试验未被接受</translation>
    </message>
    <message>
        <source>The tuner &quot;%1&quot; is not built in: Random and GridSearch are; another tuner drives an experiment without a searchSpace by submitting trials.</source>
        <translation>调优器 &quot;%1&quot; 不是内置的：内置的有 Random 和 GridSearch；其他调优器通过提交试验来驱动没有 searchSpace 的实验。</translation>
    </message>
    <message>
        <source>The tuner &quot;%1&quot; needs a searchSpace.</source>
        <translation>调优器 &quot;%1&quot; 需要 searchSpace。</translation>
    </message>
    <message>
        <source>The tunnel was closed.</source>
        <translation>隧道已关闭。</translation>
    </message>
    <message>
        <source>The upload cannot be kept in %1.</source>
        <translation>上传的内容无法保存到 %1。</translation>
    </message>
    <message>
        <source>The upload cannot be written: %1.</source>
        <translation>无法写入上传的内容：%1。</translation>
    </message>
    <message>
        <source>The uploaded code cannot be unpacked</source>
        <translation>无法解压上传的代码</translation>
    </message>
    <message>
        <source>The user `%1` must not begin with `-`, as programs take that for an option.</source>
        <translation>用户 `%1` 不得以 `-` 开头，因为程序会把它当作选项。</translation>
    </message>
    <message>
        <source>The user is empty: write the name of the account, or leave the user out.</source>
        <translation>用户为空：请填写帐户名，或不写用户。</translation>
    </message>
    <message>
        <source>The way to %1 leads through more than %2 hosts.</source>
        <translation>到 %1 的路径经过的主机超过 %2 台。</translation>
    </message>
    <message>
        <source>There are %1 more.</source>
        <translation>另有 %1 条。</translation>
    </message>
    <message>
        <source>There are more records that cannot be read; they are not listed.</source>
        <translation>还有更多无法读取的记录，未予列出。</translation>
    </message>
    <message>
        <source>There is a token &quot;%1&quot; already; revoke it first.</source>
        <translation>已有令牌 &quot;%1&quot;；请先吊销它。</translation>
    </message>
    <message>
        <source>There is no %1 &quot;%2&quot;.</source>
        <translation>没有 %1 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>There is no code with this hash.</source>
        <translation>没有此哈希对应的代码。</translation>
    </message>
    <message>
        <source>There is no contact with the machine&apos;s agent.</source>
        <translation>与机器的代理失去联系。</translation>
    </message>
    <message>
        <source>There is no experiment &quot;%1&quot;.</source>
        <translation>没有实验 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>There is no experiment of NNI in %1: it would hold db/nni.sqlite. They are in ~/nni-experiments.</source>
        <translation>%1 中没有 NNI 的实验：若有，其中应有 db/nni.sqlite。NNI 的实验位于 ~/nni-experiments。</translation>
    </message>
    <message>
        <source>There is no kind of platform named &quot;%1&quot;; there are: %2.</source>
        <translation>没有名为 &quot;%1&quot; 的平台类型；现有：%2。</translation>
    </message>
    <message>
        <source>There is no log &quot;%1&quot;; there are stdout, stderr, trial.log and output/PATH.</source>
        <translation>没有日志 &quot;%1&quot;；现有 stdout、stderr、trial.log 和 output/PATH。</translation>
    </message>
    <message>
        <source>There is no machine &quot;%1&quot; any more.</source>
        <translation>机器 &quot;%1&quot; 已不存在。</translation>
    </message>
    <message>
        <source>There is no machine &quot;%1&quot; of an open platform.</source>
        <translation>已打开的平台中没有机器 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>There is no machine &quot;%1&quot;.</source>
        <translation>没有机器 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>There is no open question &quot;%1&quot;; it may have been answered already.</source>
        <translation>没有待回答的问题 &quot;%1&quot;；它可能已被回答。</translation>
    </message>
    <message>
        <source>There is no place to keep secrets but environment variables.</source>
        <translation>除环境变量外，没有可以保存机密的地方。</translation>
    </message>
    <message>
        <source>There is no place to keep the host key in.</source>
        <translation>没有可以保存主机密钥的地方。</translation>
    </message>
    <message>
        <source>There is no platform &quot;%1&quot;.</source>
        <translation>没有平台 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>There is no platform &quot;%1&quot;; there are: %2.</source>
        <translation>没有平台 &quot;%1&quot;；现有：%2。</translation>
    </message>
    <message>
        <source>There is no platform of kind &quot;%1&quot;.</source>
        <translation>没有类型为 &quot;%1&quot; 的平台。</translation>
    </message>
    <message>
        <source>There is no program `ssh` on this computer; %1 is to be reached by it.</source>
        <translation>本机没有 `ssh` 程序；而连接 %1 需要它。</translation>
    </message>
    <message>
        <source>There is no setting %1.</source>
        <translation>没有设置 %1。</translation>
    </message>
    <message>
        <source>There is no such kind.</source>
        <translation>没有此类型。</translation>
    </message>
    <message>
        <source>There is no such trial any more.</source>
        <translation>已经没有这个试验。</translation>
    </message>
    <message>
        <source>There is no trial &quot;%1&quot; in this experiment.</source>
        <translation>此实验中没有试验 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>There is no trial &quot;%1&quot;.</source>
        <translation>没有试验 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>There is nothing at this address: here trials post their metrics.</source>
        <translation>此地址没有内容：这里供试验提交指标。</translation>
    </message>
    <message>
        <source>There is nothing at this address; /api/v1/openapi.yaml describes what there is.</source>
        <translation>此地址没有内容；可用的内容见 /api/v1/openapi.yaml。</translation>
    </message>
    <message>
        <source>They are removed once it answers again, and what may run of them is ended.</source>
        <translation>待它重新响应后，这些会被移除，其中可能仍在运行的也会被结束。</translation>
    </message>
    <message>
        <source>This Idempotency-Key was used for another experiment.</source>
        <translation>此 Idempotency-Key 已用于另一个实验。</translation>
    </message>
    <message>
        <source>This Idempotency-Key was used for other trials.</source>
        <translation>此 Idempotency-Key 已用于其他试验。</translation>
    </message>
    <message>
        <source>This address takes no parameters behind a question mark.</source>
        <translation>此地址不接受问号后面的参数。</translation>
    </message>
    <message>
        <source>This address takes only %1.</source>
        <translation>此地址只接受 %1。</translation>
    </message>
    <message>
        <source>This code has not been uploaded.</source>
        <translation>此代码尚未上传。</translation>
    </message>
    <message>
        <source>This computer&apos;s Trialdeck does not run on %1, so it was taken away again; install it there as its README says. It said: %2</source>
        <translation>本机的 Trialdeck 无法在 %1 上运行，因此已从那里移除；请按其 README 在那里安装。它的输出：%2</translation>
    </message>
    <message>
        <source>This is no experiment file: it holds no mapping of names to values.</source>
        <translation>这不是实验文件：其中没有名称到值的映射。</translation>
    </message>
    <message>
        <source>This is not a request of HTTP/1.1: %1.</source>
        <translation>这不是 HTTP/1.1 请求：%1。</translation>
    </message>
    <message>
        <source>This is not valid JSON: </source>
        <translation>这不是有效的 JSON：</translation>
    </message>
    <message>
        <source>This is not valid JSON: line %1, column %2: %3.</source>
        <translation>这不是有效的 JSON：第 %1 行第 %2 列：%3。</translation>
    </message>
    <message>
        <source>This is not valid JSON: there is a zero byte at offset %1.</source>
        <translation>这不是有效的 JSON：偏移 %1 处有零字节。</translation>
    </message>
    <message>
        <source>This is the first contact with %1 (%2). Its %3 key has the fingerprint %4. Compare it with the one from its administrator.</source>
        <translation>这是与 %1 (%2) 的首次联系。其 %3 密钥的指纹是 %4。请与其管理员提供的指纹比对。</translation>
    </message>
    <message>
        <source>This is too large to be sent to the machine at once.</source>
        <translation>内容过大，无法一次发送到机器。</translation>
    </message>
    <message>
        <source>This machine has a processor of the kind %1; this Trialdeck brings the agent for %2.</source>
        <translation>这台机器的处理器类型是 %1；此 Trialdeck 自带的代理适用于 %2。</translation>
    </message>
    <message>
        <source>This machine has no host key that waits to be trusted.</source>
        <translation>这台机器没有待信任的主机密钥。</translation>
    </message>
    <message>
        <source>This machine runs %1; trials need Linux.</source>
        <translation>这台机器运行的是 %1；试验需要 Linux。</translation>
    </message>
    <message>
        <source>This platform keeps nothing on its machines.</source>
        <translation>此平台不在其机器上保留任何内容。</translation>
    </message>
    <message>
        <source>This question is not open any more.</source>
        <translation>此问题已不再等待回答。</translation>
    </message>
    <message>
        <source>This request has no answer.</source>
        <translation>此请求没有回应。</translation>
    </message>
    <message>
        <source>This service does not answer to the name &quot;%1&quot;; use its address, or give the name in its settings.</source>
        <translation>此服务不响应名称 &quot;%1&quot;；请使用其地址，或在其设置中加入该名称。</translation>
    </message>
    <message>
        <source>This service takes no uploads.</source>
        <translation>此服务不接受上传。</translation>
    </message>
    <message>
        <source>This trial has ended, and nothing more is taken for it; what stands below the offset was kept.</source>
        <translation>此试验已经结束，不再为它接收内容；偏移之前的内容已保留。</translation>
    </message>
    <message>
        <source>This trial has not been started, so nothing is taken for it yet.</source>
        <translation>此试验尚未启动，因此还不为它接收内容。</translation>
    </message>
    <message>
        <source>This user may not ask the NVIDIA driver. Access to /dev/nvidia* is needed.</source>
        <translation>此用户无权查询 NVIDIA 驱动。需要对 /dev/nvidia* 的访问权限。</translation>
    </message>
    <message>
        <source>Too many connections are open; try again later.</source>
        <translation>打开的连接过多；请稍后重试。</translation>
    </message>
    <message>
        <source>Too much is being sent at once; try again soon.</source>
        <translation>同时发送的内容过多；请稍后重试。</translation>
    </message>
    <message>
        <source>Trial %1 does not wait any more.</source>
        <translation>试验 %1 已不在等待。</translation>
    </message>
    <message>
        <source>Trial %1 ended before it started; it has no files.</source>
        <translation>试验 %1 在开始之前已结束；它没有文件。</translation>
    </message>
    <message>
        <source>Trial %1 has been placed already; what it needs cannot be changed any more.</source>
        <translation>试验 %1 已安排；其需求不能再更改。</translation>
    </message>
    <message>
        <source>Trial %1 has ended and takes no parameters.</source>
        <translation>试验 %1 已结束，不接受参数。</translation>
    </message>
    <message>
        <source>Trial %1 has not ended (%2): cancel it first, then retry.</source>
        <translation>试验 %1 尚未结束 (%2)：请先取消，再重试。</translation>
    </message>
    <message>
        <source>Trial %1 waits and has no files yet.</source>
        <translation>试验 %1 正在等待，还没有文件。</translation>
    </message>
    <message>
        <source>Trialdeck could not be copied to %1: %2</source>
        <translation>无法将 Trialdeck 复制到 %1：%2</translation>
    </message>
    <message>
        <source>Trialdeck is not installed on %1. Copy this computer&apos;s there, into ~/.local/lib/trialdeck?</source>
        <translation>%1 上没有安装 Trialdeck。要把本机的复制到那里的 ~/.local/lib/trialdeck 吗？</translation>
    </message>
    <message>
        <source>Trials are under way on %1, which could not be followed any more: %2%3. Cancel them or wait for their end, or use force to give them up; they may then run on there.</source>
        <translation>%1 上有正在进行的试验，之后将无法再跟踪它们：%2%3。请取消它们或等待其结束，或使用 force 放弃它们；它们之后可能仍在那里运行。</translation>
    </message>
    <message>
        <source>Trials are under way on %1: cancel them first.</source>
        <translation>%1 上有正在进行的试验：请先取消它们。</translation>
    </message>
    <message>
        <source>Trials cannot be sorted by &quot;%1&quot;; give a field of a trial, queue, parameters.NAME or metrics.NAME.</source>
        <translation>试验不能按 &quot;%1&quot; 排序；请给出试验的字段、queue、parameters.NAME 或 metrics.NAME。</translation>
    </message>
    <message>
        <source>Trials of this experiment are on machines that do not answer: %1. Wait until they are back, or give up what is there (force; --force on the command line): the trials end here at once as USER_CANCELED, and once a machine answers again they are ended there, too%2.</source>
        <translation>此实验有试验位于没有回应的机器上：%1。请等待机器恢复，或放弃那里的内容（force；命令行中为 --force）：试验在此立即以 USER_CANCELED 结束，机器重新响应后，也会在那里被结束%2。</translation>
    </message>
    <message>
        <source>Trials on this computer run inside of the sandbox of the service, which may refuse them files and privileges: the unit that starts their agent cannot be used (%1). `systemctl status trialdeck-agent.socket` (with --user for a service of one person) says more.</source>
        <translation>本机的试验在服务的沙箱内运行，沙箱可能拒绝它们使用某些文件和权限：无法使用启动其代理的单元 (%1)。`systemctl status trialdeck-agent.socket`（个人服务需加 --user）可显示更多信息。</translation>
    </message>
    <message>
        <source>Unknown field %1 beside trials.</source>
        <translation>trials 旁有未知字段 %1。</translation>
    </message>
    <message>
        <source>Unknown field %1%2.</source>
        <translation>未知字段 %1%2。</translation>
    </message>
    <message>
        <source>Unknown parameter &quot;%1&quot;.</source>
        <translation>未知参数 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>Unpacking the code was cancelled.</source>
        <translation>解包代码已取消。</translation>
    </message>
    <message>
        <source>What Trialdeck keeps there was not deleted: %1</source>
        <translation>Trialdeck 保存在那里的内容未被删除：%1</translation>
    </message>
    <message>
        <source>What is left on %1 cannot be noted</source>
        <translation>无法记下 %1 上遗留的内容</translation>
    </message>
    <message>
        <source>Your SSH settings for %1</source>
        <translation>您对 %1 的 SSH 设置</translation>
    </message>
    <message>
        <source>Your SSH settings for %1 allow as %2 only %3, none of which Trialdeck&apos;s own SSH knows. Let the program ssh make the connection (useSshProgram of this machine).</source>
        <translation>您对 %1 的 SSH 设置只允许 %2 取 %3，而 Trialdeck 自带的 SSH 都不认识。请让 ssh 程序建立连接（此机器的 useSshProgram）。</translation>
    </message>
    <message>
        <source>Your SSH settings for %1 need the program `ssh` (Match exec and the like), and it did not answer.</source>
        <translation>您对 %1 的 SSH 设置需要 `ssh` 程序（Match exec 之类），而它没有应答。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no status of a trial.</source>
        <translation>&quot;%1&quot; 不是试验的状态。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no topic; there are %2.</source>
        <translation>&quot;%1&quot; 不是主题；可用的有 %2。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an address to listen on; give one of this computer&apos;s addresses, such as 127.0.0.1 or 0.0.0.0.</source>
        <translation>&quot;%1&quot; 不是可监听的地址；请给出本机的一个地址，例如 127.0.0.1 或 0.0.0.0。</translation>
    </message>
    <message>
        <source>&quot;expiresInDays&quot; must be 1 to %1.</source>
        <translation>&quot;expiresInDays&quot; 必须在 1 到 %1 之间。</translation>
    </message>
    <message>
        <source>&quot;scope&quot; must be read (see everything), run (experiments and trials, too) or admin (machines, platforms, tokens, too).</source>
        <translation>&quot;scope&quot; 必须是 read（查看一切）、run（另可操作实验和试验）或 admin（另可管理机器、平台和令牌）。</translation>
    </message>
    <message>
        <source>_name is reserved for the options of a nested choice.</source>
        <translation>_name 保留给嵌套 choice 的选项使用。</translation>
    </message>
    <message>
        <source>_value must be a list, not %1.</source>
        <translation>_value 必须是列表，而不是 %1。</translation>
    </message>
    <message>
        <source>`%1` is no address of a machine; write user@host or user@host:port.</source>
        <translation>`%1` 不是机器的地址；请写 user@host 或 user@host:port。</translation>
    </message>
    <message>
        <source>`%1` is not given to the program `ssh`: your SSH settings may hand it to a shell, which could take it for more than a name.</source>
        <translation>`%1` 不会交给 `ssh` 程序：您的 SSH 设置可能把它交给 shell，而 shell 可能不只把它当作名称。</translation>
    </message>
    <message>
        <source>`ssh` did not reach the agent on %1%2</source>
        <translation>`ssh` 未能连到 %1 上的代理%2</translation>
    </message>
    <message>
        <source>`ssh` does not trust the host key of %1. Log in there once in a terminal (ssh %1) and compare it.</source>
        <translation>`ssh` 不信任 %1 的主机密钥。请在终端中登录一次（ssh %1）并比对它。</translation>
    </message>
    <message>
        <source>`ssh` was not let in to %1: %2. It must get in without a question: test it with ssh -o BatchMode=yes %1</source>
        <translation>`ssh` 未获准登录 %1：%2。登录过程必须无需提问：请用 ssh -o BatchMode=yes %1 测试</translation>
    </message>
    <message>
        <source>a choice needs at least one option.</source>
        <translation>choice 至少需要一个选项。</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>a key</source>
        <translation>一个密钥</translation>
    </message>
    <message>
        <source>a list of up to %1 strings of up to %2 characters</source>
        <translation>列表，至多 %1 个字符串，每个至多 %2 个字符</translation>
    </message>
    <message>
        <source>a log range needs a low end above 0.</source>
        <translation>log 范围的下限必须大于 0。</translation>
    </message>
    <message>
        <source>a pipe</source>
        <translation>管道</translation>
    </message>
    <message>
        <source>a range needs a number on both sides of the two dots, such as 1e-4..1e-1.</source>
        <translation>范围的两个点两边都需要数字，例如 1e-4..1e-1。</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>a string: the text of parameter.cfg</source>
        <translation>字符串：parameter.cfg 的文本</translation>
    </message>
    <message>
        <source>a value is missing.</source>
        <translation>缺少一个值。</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a whole number from 0 on</source>
        <translation>不小于 0 的整数</translation>
    </message>
    <message>
        <source>after must be the text that `next` of the list before had.</source>
        <translation>after 必须是前一个列表的 `next` 中的文本。</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>an object with _type and _value is expected, not %1.</source>
        <translation>应为含有 _type 和 _value 的对象，而不是 %1。</translation>
    </message>
    <message>
        <source>and %1 are both given: one is enough.</source>
        <translation>与 %1 同时给出：只需一个。</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 台</translation>
    </message>
    <message>
        <source>being connected</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>blanks at its ends</source>
        <translation>首尾的空白</translation>
    </message>
    <message>
        <source>bringing the store to version %1</source>
        <translation>将数据存储升级到版本 %1</translation>
    </message>
    <message>
        <source>by the program ssh</source>
        <translation>通过 ssh 程序</translation>
    </message>
    <message>
        <source>cancelled by the system</source>
        <translation>由系统取消</translation>
    </message>
    <message>
        <source>cancelled on request</source>
        <translation>按请求取消</translation>
    </message>
    <message>
        <source>codeDir and codeHash are both given: give the folder, or the upload.</source>
        <translation>codeDir 和 codeHash 同时给出：请给出文件夹或上传内容之一。</translation>
    </message>
    <message>
        <source>codeDir must be an absolute path on the computer of the service: &quot;%1&quot;.</source>
        <translation>codeDir 必须是服务所在计算机上的绝对路径：&quot;%1&quot;。</translation>
    </message>
    <message>
        <source>codeHash must be the SHA-256 of an upload: 64 digits of 0-9 and a-f.</source>
        <translation>codeHash 必须是上传内容的 SHA-256：64 位，由 0-9 和 a-f 组成。</translation>
    </message>
    <message>
        <source>codeMode &quot;inPlace&quot; needs codeDir: an upload has no folder to run in.</source>
        <translation>codeMode &quot;inPlace&quot; 需要 codeDir：上传内容没有可供运行的文件夹。</translation>
    </message>
    <message>
        <source>codeMode inPlace needs codeDir.</source>
        <translation>codeMode inPlace 需要 codeDir。</translation>
    </message>
    <message>
        <source>codeMode must be &quot;snapshot&quot; or &quot;inPlace&quot;.</source>
        <translation>codeMode 必须是 &quot;snapshot&quot; 或 &quot;inPlace&quot;。</translation>
    </message>
    <message>
        <source>columns must be a whole number from 1 to 10000.</source>
        <translation>columns 必须是 1 到 10000 的整数。</translation>
    </message>
    <message>
        <source>command not found</source>
        <translation>找不到命令</translation>
    </message>
    <message>
        <source>could not be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>could not be started</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>could not be started: </source>
        <translation>无法启动：</translation>
    </message>
    <message>
        <source>cursors must be a list of 1 to %1 objects with trialId and since.</source>
        <translation>cursors 必须是列表，含 1 到 %1 个带 trialId 和 since 的对象。</translation>
    </message>
    <message>
        <source>cursors[%1].since must not be negative.</source>
        <translation>cursors[%1].since 不能为负。</translation>
    </message>
    <message>
        <source>cursors[%1].trialId is required.</source>
        <translation>cursors[%1].trialId 是必需的。</translation>
    </message>
    <message>
        <source>does not answer</source>
        <translation>没有应答</translation>
    </message>
    <message>
        <source>drained</source>
        <translation>已排空</translation>
    </message>
    <message>
        <source>environment has a name that is no variable&apos;s: it is empty or holds &quot;=&quot;.</source>
        <translation>environment 中有一个名称不能用作变量名：它为空或含有 &quot;=&quot;。</translation>
    </message>
    <message>
        <source>environment.%1 holds a character with code 0.</source>
        <translation>environment.%1 含有代码为 0 的字符。</translation>
    </message>
    <message>
        <source>environment.%1 must be a string.</source>
        <translation>environment.%1 必须是字符串。</translation>
    </message>
    <message>
        <source>environment: &quot;%1&quot; is no name of a variable, or its value holds a null.</source>
        <translation>environment：&quot;%1&quot; 不是变量名，或其值含有空字符。</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>field is required: the name of the setting that choices are wanted for.</source>
        <translation>field 是必需的：要查询其可选值的设置的名称。</translation>
    </message>
    <message>
        <source>files directly in it</source>
        <translation>直接位于其中的文件</translation>
    </message>
    <message>
        <source>filter is empty; name at least an experiment, a platform, a machine, a tag or a status.</source>
        <translation>filter 为空；请至少指明实验、平台、机器、标签或状态之一。</translation>
    </message>
    <message>
        <source>filter.status must be a status, or a list of them.</source>
        <translation>filter.status 必须是一个状态，或状态的列表。</translation>
    </message>
    <message>
        <source>find the code directory</source>
        <translation>找到代码目录</translation>
    </message>
    <message>
        <source>fingerprint is required: the one of the host key that you accept.</source>
        <translation>fingerprint 是必需的：您接受的主机密钥的指纹。</translation>
    </message>
    <message>
        <source>form.hyperParameters.value is required: the text of the next parameters.</source>
        <translation>form.hyperParameters.value 是必需的：下一组参数的文本。</translation>
    </message>
    <message>
        <source>give its name to</source>
        <translation>重命名为</translation>
    </message>
    <message>
        <source>given up: %1 does not answer; it may run on there</source>
        <translation>已放弃：%1 没有应答；试验可能仍在那里运行</translation>
    </message>
    <message>
        <source>given up: %1 was taken out of the settings or changed while it ran; it may run on there</source>
        <translation>已放弃：%1 在试验运行期间被移出设置或被更改；试验可能仍在那里运行</translation>
    </message>
    <message>
        <source>gpuIndices leaves out %1</source>
        <translation>gpuIndices 不包含 %1</translation>
    </message>
    <message>
        <source>gpuNumber must be 0 or more.</source>
        <translation>gpuNumber 必须大于或等于 0。</translation>
    </message>
    <message>
        <source>gpuNumber must not be negative.</source>
        <translation>gpuNumber 不能为负。</translation>
    </message>
    <message>
        <source>gpuNumber must not be negative; leave it out to let trials see every GPU.</source>
        <translation>gpuNumber 不能为负；不填则试验可以看到所有 GPU。</translation>
    </message>
    <message>
        <source>has no name</source>
        <translation>没有名称</translation>
    </message>
    <message>
        <source>holder and remedy have at most %1 characters.</source>
        <translation>holder 和 remedy 至多 %1 个字符。</translation>
    </message>
    <message>
        <source>holder is required: who asks for the experiment&apos;s trials, for example &quot;NNI&apos;s manager&quot;.</source>
        <translation>holder 是必需的：由谁为实验请求试验，例如 &quot;NNI&apos;s manager&quot;。</translation>
    </message>
    <message>
        <source>holds a character with code 0, which no program can be given.</source>
        <translation>含有代码为 0 的字符，无法传给任何程序。</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>id in the body is not the one in the address.</source>
        <translation>正文中的 id 与地址中的不一致。</translation>
    </message>
    <message>
        <source>ids is required: which trials are moved.</source>
        <translation>ids 是必需的：要移动哪些试验。</translation>
    </message>
    <message>
        <source>int: takes a range, such as int:1..9.</source>
        <translation>int: 需要一个范围，例如 int:1..9。</translation>
    </message>
    <message>
        <source>int: takes two whole numbers, such as int:1..9.</source>
        <translation>int: 需要两个整数，例如 int:1..9。</translation>
    </message>
    <message>
        <source>is %1, which is no folder.</source>
        <translation>为 %1，它不是文件夹。</translation>
    </message>
    <message>
        <source>is %1, which is no platform of NNI&apos;s. There is: %2.</source>
        <translation>为 %1，它不是 NNI 的平台。可用的有：%2。</translation>
    </message>
    <message>
        <source>is %1, whose settings are not read from NNI&apos;s files yet. Add the platform with `trialdeck platform add`, and name it with --on.</source>
        <translation>为 %1，目前还不能从 NNI 的文件中读取其设置。请用 `trialdeck platform add` 添加该平台，并用 --on 指明它。</translation>
    </message>
    <message>
        <source>is a link that leads outside the folder</source>
        <translation>是指向文件夹之外的链接</translation>
    </message>
    <message>
        <source>is a second name for what is no file of the archive</source>
        <translation>是硬链接，但所指的不是归档中的文件</translation>
    </message>
    <message>
        <source>is being opened</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>is closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>is missing.</source>
        <translation>缺失。</translation>
    </message>
    <message>
        <source>is missing: what is to be searched.</source>
        <translation>缺失：没有说明要搜索什么。</translation>
    </message>
    <message>
        <source>is neither a file nor a folder nor a link</source>
        <translation>既不是文件，也不是文件夹或链接</translation>
    </message>
    <message>
        <source>is no field of NNI&apos;s experiment files.</source>
        <translation>不是 NNI 实验文件的字段。</translation>
    </message>
    <message>
        <source>is not read.</source>
        <translation>不会读取。</translation>
    </message>
    <message>
        <source>is ready</source>
        <translation>已就绪</translation>
    </message>
    <message>
        <source>is trialdeck: this file is for NNI with Trialdeck as its training service. Start it with `nnictl create --config FILE`, or name a platform with --on to run it without NNI.</source>
        <translation>为 trialdeck：此文件用于以 Trialdeck 作为训练服务的 NNI。请用 `nnictl create --config FILE` 启动它，或用 --on 指明平台，不经 NNI 运行。</translation>
    </message>
    <message>
        <source>is used as a folder and is none</source>
        <translation>被当作文件夹使用，但它不是文件夹</translation>
    </message>
    <message>
        <source>it did not take %1</source>
        <translation>它没有接受 %1</translation>
    </message>
    <message>
        <source>it does not answer</source>
        <translation>它没有应答</translation>
    </message>
    <message>
        <source>it ended without an answer</source>
        <translation>它没有应答就结束了</translation>
    </message>
    <message>
        <source>it has no member &quot;metric&quot;</source>
        <translation>它没有成员 &quot;metric&quot;</translation>
    </message>
    <message>
        <source>it has no type that NNI knows</source>
        <translation>它没有 NNI 认识的类型</translation>
    </message>
    <message>
        <source>it has no value</source>
        <translation>它没有值</translation>
    </message>
    <message>
        <source>it holds more than %1.</source>
        <translation>其内容超过 %1。</translation>
    </message>
    <message>
        <source>it is %1</source>
        <translation>它%1</translation>
    </message>
    <message>
        <source>it is no JSON object</source>
        <translation>它不是 JSON 对象</translation>
    </message>
    <message>
        <source>it is no text</source>
        <translation>它不是文本</translation>
    </message>
    <message>
        <source>it is not UTF-8</source>
        <translation>它不是 UTF-8</translation>
    </message>
    <message>
        <source>it is not known whether it was started: </source>
        <translation>不清楚它是否已启动：</translation>
    </message>
    <message>
        <source>it is not known whether it was started; this is being found out</source>
        <translation>不清楚它是否已启动；正在查明</translation>
    </message>
    <message>
        <source>it is not known whose program listens there, so the token was not sent; reach it through its data directory, over TLS or by ssh://, or accept that with --insecure</source>
        <translation>不清楚在那里监听的是谁的程序，因此没有发送令牌；请通过其数据目录、TLS 或 ssh:// 连接它，或用 --insecure 接受这一点</translation>
    </message>
    <message>
        <source>it printed nothing</source>
        <translation>它没有输出任何内容</translation>
    </message>
    <message>
        <source>it shows another certificate than %1</source>
        <translation>它出示的证书与 %1 不同</translation>
    </message>
    <message>
        <source>it takes longer than %1 s.</source>
        <translation>所需时间超过 %1 秒。</translation>
    </message>
    <message>
        <source>it was given up</source>
        <translation>它已被放弃</translation>
    </message>
    <message>
        <source>its certificate %1 cannot be read</source>
        <translation>无法读取其证书 %1</translation>
    </message>
    <message>
        <source>its experiment has ended</source>
        <translation>其实验已结束</translation>
    </message>
    <message>
        <source>its experiment is not there any more</source>
        <translation>其实验已不存在</translation>
    </message>
    <message>
        <source>its keeper was lost, and no trace of how it ended was found</source>
        <translation>其看护进程丢失，也没有找到它如何结束的痕迹</translation>
    </message>
    <message>
        <source>its kind must be a text, such as &quot;remote&quot;.</source>
        <translation>其 kind 必须是文本，例如 &quot;remote&quot;。</translation>
    </message>
    <message>
        <source>its machine %1 is not in the settings of its platform any more; add it again, or give the trial up (trialdeck cancel --force)</source>
        <translation>其机器 %1 已不在所属平台的设置中；请重新添加它，或放弃该试验（trialdeck cancel --force）</translation>
    </message>
    <message>
        <source>its metric came back</source>
        <translation>已收到其指标</translation>
    </message>
    <message>
        <source>its metric did not come</source>
        <translation>没有收到其指标</translation>
    </message>
    <message>
        <source>its settings must be an object.</source>
        <translation>其 settings 必须是对象。</translation>
    </message>
    <message>
        <source>its version must be a whole number.</source>
        <translation>其 version 必须是整数。</translation>
    </message>
    <message>
        <source>killed by signal %1</source>
        <translation>被信号 %1 终止</translation>
    </message>
    <message>
        <source>kind is required: the kind of the platform, for example &quot;local&quot; or &quot;remote&quot;.</source>
        <translation>kind 是必需的：平台的类型，例如 &quot;local&quot; 或 &quot;remote&quot;。</translation>
    </message>
    <message>
        <source>lies in %1, which </source>
        <translation>位于 %1 中，后者</translation>
    </message>
    <message>
        <source>limit must be a whole number from 1 to %1.</source>
        <translation>limit 必须是 1 到 %1 的整数。</translation>
    </message>
    <message>
        <source>line %1, column %2: </source>
        <translation>第 %1 行，第 %2 列：</translation>
    </message>
    <message>
        <source>lists several platforms; choose one with --on.</source>
        <translation>列出了多个平台；请用 --on 选择一个。</translation>
    </message>
    <message>
        <source>local_config must be an object.</source>
        <translation>local_config 必须是对象。</translation>
    </message>
    <message>
        <source>log: takes a range, such as log:1e-4..1e-1.</source>
        <translation>log: 需要一个范围，例如 log:1e-4..1e-1。</translation>
    </message>
    <message>
        <source>logging in as %1</source>
        <translation>正在以 %1 登录</translation>
    </message>
    <message>
        <source>low, high</source>
        <translation>low, high</translation>
    </message>
    <message>
        <source>machine_list must be a list.</source>
        <translation>machine_list 必须是列表。</translation>
    </message>
    <message>
        <source>make a folder in</source>
        <translation>创建文件夹于</translation>
    </message>
    <message>
        <source>make the folder</source>
        <translation>创建文件夹</translation>
    </message>
    <message>
        <source>make the link</source>
        <translation>创建链接</translation>
    </message>
    <message>
        <source>more than </source>
        <translation>超过 </translation>
    </message>
    <message>
        <source>mu, sigma</source>
        <translation>mu, sigma</translation>
    </message>
    <message>
        <source>must be 65535 at most.</source>
        <translation>至多为 65535。</translation>
    </message>
    <message>
        <source>must be a list.</source>
        <translation>必须是列表。</translation>
    </message>
    <message>
        <source>must be a mapping of names to values.</source>
        <translation>必须是从名称到值的映射。</translation>
    </message>
    <message>
        <source>must be a text; put it into quotes if it looks like a number.</source>
        <translation>必须是文本；如果它看起来像数字，请加上引号。</translation>
    </message>
    <message>
        <source>must be a time such as 90s, 30m, 2h or 1d.</source>
        <translation>必须是时间，例如 90s、30m、2h 或 1d。</translation>
    </message>
    <message>
        <source>must be a whole number, %1 or more.</source>
        <translation>必须是整数，且不小于 %1。</translation>
    </message>
    <message>
        <source>must be different GPU numbers, such as [0, 1].</source>
        <translation>必须是互不相同的 GPU 编号，例如 [0, 1]。</translation>
    </message>
    <message>
        <source>must be hpo: searches for network architectures need NNI.</source>
        <translation>必须是 hpo：网络架构搜索需要 NNI。</translation>
    </message>
    <message>
        <source>must be maximize or minimize.</source>
        <translation>必须是 maximize 或 minimize。</translation>
    </message>
    <message>
        <source>must be true or false.</source>
        <translation>必须是 true 或 false。</translation>
    </message>
    <message>
        <source>must map names of parameters to what they may be.</source>
        <translation>必须把参数名称映射到其可取的值。</translation>
    </message>
    <message>
        <source>names %1, which cannot be read.</source>
        <translation>指定了 %1，但无法读取它。</translation>
    </message>
    <message>
        <source>names %1, which is neither JSON nor YAML: %2</source>
        <translation>指定了 %1，但它既不是 JSON 也不是 YAML：%2</translation>
    </message>
    <message>
        <source>names no machine.</source>
        <translation>没有列出机器。</translation>
    </message>
    <message>
        <source>needs %1; </source>
        <translation>需要 %1；</translation>
    </message>
    <message>
        <source>needs %1; %2</source>
        <translation>需要 %1；%2</translation>
    </message>
    <message>
        <source>no NVIDIA GPU</source>
        <translation>没有 NVIDIA GPU</translation>
    </message>
    <message>
        <source>no byte came for %1 s</source>
        <translation>%1 秒内没有收到任何字节</translation>
    </message>
    <message>
        <source>no machine of the platform %1 has one for trials</source>
        <translation>平台 %1 没有机器可为试验提供 GPU</translation>
    </message>
    <message>
        <source>no machine takes trials now: </source>
        <translation>现在没有机器接受试验：</translation>
    </message>
    <message>
        <source>no reason was given</source>
        <translation>没有给出原因</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>none of the other %1 machines takes trials now</source>
        <translation>其余 %1 台机器现在都不接受试验</translation>
    </message>
    <message>
        <source>not an object.</source>
        <translation>不是对象。</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未能连到</translation>
    </message>
    <message>
        <source>nothing that it names</source>
        <translation>未列明的方式</translation>
    </message>
    <message>
        <source>nvidia-smi answered nothing.</source>
        <translation>nvidia-smi 没有输出任何内容。</translation>
    </message>
    <message>
        <source>nvidia-smi did not answer in time; the table of GPUs is an old one.</source>
        <translation>nvidia-smi 没有及时应答；GPU 列表是旧的。</translation>
    </message>
    <message>
        <source>nvidia-smi failed: </source>
        <translation>nvidia-smi 失败：</translation>
    </message>
    <message>
        <source>nvidia-smi is not installed on this machine.</source>
        <translation>这台机器上没有安装 nvidia-smi。</translation>
    </message>
    <message>
        <source>nvidia-smi lists %1 GPUs, and %2 are the most that a machine may have; none is used.</source>
        <translation>nvidia-smi 列出了 %1 个 GPU，而一台机器至多可有 %2 个；一个都不使用。</translation>
    </message>
    <message>
        <source>objective.direction must be &quot;maximize&quot; or &quot;minimize&quot;.</source>
        <translation>objective.direction 必须是 &quot;maximize&quot; 或 &quot;minimize&quot;。</translation>
    </message>
    <message>
        <source>objective.metric must not be empty; &quot;default&quot; is what NNI&apos;s report functions give.</source>
        <translation>objective.metric 不能为空；NNI 的报告函数给出的是 &quot;default&quot;。</translation>
    </message>
    <message>
        <source>occurs twice</source>
        <translation>出现了两次</translation>
    </message>
    <message>
        <source>of %1 more none has over %2 free</source>
        <translation>其余 %1 台的空闲数都不超过 %2</translation>
    </message>
    <message>
        <source>of your own</source>
        <translation>（自定义）</translation>
    </message>
    <message>
        <source>offset is no whole number from 0</source>
        <translation>offset 不是从 0 开始的整数</translation>
    </message>
    <message>
        <source>on hold until a person releases it</source>
        <translation>暂缓，等待人工放行</translation>
    </message>
    <message>
        <source>only an IPv6 address has a zone behind it.</source>
        <translation>只有 IPv6 地址后面才有区域。</translation>
    </message>
    <message>
        <source>only one may stand between a domain and the name of the account.</source>
        <translation>域与帐户名之间只能有一个。</translation>
    </message>
    <message>
        <source>out of memory: the machine ended its processes</source>
        <translation>内存不足：机器终止了它的进程</translation>
    </message>
    <message>
        <source>out of order</source>
        <translation>出现故障</translation>
    </message>
    <message>
        <source>over http:// beyond this computer the token would travel in clear; give the service a certificate and use https://, reach it by ssh://, or accept that with --insecure</source>
        <translation>在本机之外使用 http:// 时令牌会以明文传输；请为服务提供证书并使用 https://，或通过 ssh:// 连接它，或用 --insecure 接受这一点</translation>
    </message>
    <message>
        <source>over maxTrialDurationSeconds (%1 s)</source>
        <translation>超过 maxTrialDurationSeconds（%1 秒）</translation>
    </message>
    <message>
        <source>password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>passwords</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>public key %1</source>
        <translation>公钥 %1</translation>
    </message>
    <message>
        <source>public keys</source>
        <translation>公钥</translation>
    </message>
    <message>
        <source>questions</source>
        <translation>问答</translation>
    </message>
    <message>
        <source>randint needs two whole numbers, and %1 is none.</source>
        <translation>randint 需要两个整数，而 %1 不是整数。</translation>
    </message>
    <message>
        <source>read the folder</source>
        <translation>读取文件夹</translation>
    </message>
    <message>
        <source>read the link</source>
        <translation>读取链接</translation>
    </message>
    <message>
        <source>run</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>scratchDir must be an absolute path.</source>
        <translation>scratchDir 必须是绝对路径。</translation>
    </message>
    <message>
        <source>searchSpace must be a JSON object.</source>
        <translation>searchSpace 必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>searchSpace names no parameter.</source>
        <translation>searchSpace 中没有参数。</translation>
    </message>
    <message>
        <source>seconds must be between 0 (the lease is given back) and %1.</source>
        <translation>seconds 必须在 0（归还租约）到 %1 之间。</translation>
    </message>
    <message>
        <source>sending the agent</source>
        <translation>正在发送代理</translation>
    </message>
    <message>
        <source>sending the agent: %1 % of %2</source>
        <translation>正在发送代理：%2 的 %1 %</translation>
    </message>
    <message>
        <source>set is required: what to change.</source>
        <translation>set 是必需的：要更改什么。</translation>
    </message>
    <message>
        <source>settings must be a JSON object.</source>
        <translation>settings 必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>sigma must be more than 0, not %1.</source>
        <translation>sigma 必须大于 0，而不是 %1。</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>没有回应</translation>
    </message>
    <message>
        <source>silent since %1</source>
        <translation>自 %1 起没有回应</translation>
    </message>
    <message>
        <source>some options have a _name and others do not; in a nested choice every option needs one.</source>
        <translation>有些选项有 _name，有些没有；在嵌套 choice 中每个选项都需要它。</translation>
    </message>
    <message>
        <source>starting the agent</source>
        <translation>正在启动代理</translation>
    </message>
    <message>
        <source>step is no whole number</source>
        <translation>step 不是整数</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>tags must be a list of up to %1 strings of up to %2 characters.</source>
        <translation>tags 必须是列表，至多 %1 个字符串，每个至多 %2 个字符。</translation>
    </message>
    <message>
        <source>takes the search space out of comments in the code, which only NNI can do. Write it to a file, and name it with %1.</source>
        <translation>从代码的注释中提取搜索空间，这只有 NNI 能做到。请把它写入文件，并用 %1 指明。</translation>
    </message>
    <message>
        <source>the _name of an option must be a string, not %1.</source>
        <translation>选项的 _name 必须是字符串，而不是 %1。</translation>
    </message>
    <message>
        <source>the agent has written more than 64 KiB to its standard error; the rest of this connection is not logged.</source>
        <translation>代理写入标准错误的内容已超过 64 KiB；此连接的其余内容不再记录。</translation>
    </message>
    <message>
        <source>the answers</source>
        <translation>所给的回答</translation>
    </message>
    <message>
        <source>the experiment cannot run because of an error</source>
        <translation>实验因错误而无法运行</translation>
    </message>
    <message>
        <source>the experiment is being prepared</source>
        <translation>实验正在准备</translation>
    </message>
    <message>
        <source>the experiment is being stopped</source>
        <translation>实验正在停止</translation>
    </message>
    <message>
        <source>the experiment is done</source>
        <translation>实验已完成</translation>
    </message>
    <message>
        <source>the experiment is paused</source>
        <translation>实验已暂停</translation>
    </message>
    <message>
        <source>the experiment is stopped</source>
        <translation>实验已停止</translation>
    </message>
    <message>
        <source>the experiment runs</source>
        <translation>实验正在运行</translation>
    </message>
    <message>
        <source>the experiment was deleted</source>
        <translation>实验已被删除</translation>
    </message>
    <message>
        <source>the experiment was stopped</source>
        <translation>实验已被停止</translation>
    </message>
    <message>
        <source>the experiment was stopped to clean up</source>
        <translation>为了清理，实验已被停止</translation>
    </message>
    <message>
        <source>the experiment&apos;s time limit was reached</source>
        <translation>已达到实验的时间限制</translation>
    </message>
    <message>
        <source>the field %1 is unknown; there are _type and _value.</source>
        <translation>字段 %1 未知；可用的有 _type 和 _value。</translation>
    </message>
    <message>
        <source>the high end is too large.</source>
        <translation>上限太大。</translation>
    </message>
    <message>
        <source>the keys of the ssh-agent (it does not answer)</source>
        <translation>ssh-agent 的密钥（它没有应答）</translation>
    </message>
    <message>
        <source>the largest machine, %1, has %2</source>
        <translation>最大的机器 %1 有 %2 个</translation>
    </message>
    <message>
        <source>the last that it printed: </source>
        <translation>它最后的输出是：</translation>
    </message>
    <message>
        <source>the low end %1 must be less than the high end %2, which is not itself among the values.</source>
        <translation>下限 %1 必须小于上限 %2，且上限本身不在取值之内。</translation>
    </message>
    <message>
        <source>the low end %1 must be less than the high end %2.</source>
        <translation>下限 %1 必须小于上限 %2。</translation>
    </message>
    <message>
        <source>the low end must be less than the high end.</source>
        <translation>下限必须小于上限。</translation>
    </message>
    <message>
        <source>the low end must not be more than the high end.</source>
        <translation>下限不能大于上限。</translation>
    </message>
    <message>
        <source>the machine is not in the settings any more</source>
        <translation>机器已不在设置中</translation>
    </message>
    <message>
        <source>the machine restarted while it ran</source>
        <translation>机器在其运行期间重启了</translation>
    </message>
    <message>
        <source>the password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>the platform %1 %2</source>
        <translation>平台 %1 %2</translation>
    </message>
    <message>
        <source>the platform %1 has it and has not started it yet</source>
        <translation>平台 %1 已接收它，但还没有启动</translation>
    </message>
    <message>
        <source>the platform %1 has no machine yet</source>
        <translation>平台 %1 还没有机器</translation>
    </message>
    <message>
        <source>the platform %1 is not there any more</source>
        <translation>平台 %1 已不存在</translation>
    </message>
    <message>
        <source>the platform reports a failure and gives no reason</source>
        <translation>平台报告失败，但没有给出原因</translation>
    </message>
    <message>
        <source>the program that listens there is one of %1 and not yours, so the token was not sent</source>
        <translation>在那里监听的程序属于 %1，而不是您的，因此没有发送令牌</translation>
    </message>
    <message>
        <source>the service started at </source>
        <translation>服务启动时刻 </translation>
    </message>
    <message>
        <source>the step q must be more than 0, not %1.</source>
        <translation>步长 q 必须大于 0，而不是 %1。</translation>
    </message>
    <message>
        <source>the type %1 is unknown; there are %2.</source>
        <translation>类型 %1 未知；可用的有 %2。</translation>
    </message>
    <message>
        <source>there is an empty value between commas.</source>
        <translation>逗号之间有空值。</translation>
    </message>
    <message>
        <source>there was no key to try</source>
        <translation>没有可尝试的密钥</translation>
    </message>
    <message>
        <source>trialCommand is required: the command that runs one trial, for example &quot;python3 train.py&quot;.</source>
        <translation>trialCommand 是必需的：运行一个试验的命令，例如 &quot;python3 train.py&quot;。</translation>
    </message>
    <message>
        <source>trialCommand with setup</source>
        <translation>trialCommand 连同 setup</translation>
    </message>
    <message>
        <source>trialConcurrency must be between 1 and 99999.</source>
        <translation>trialConcurrency 必须在 1 到 99999 之间。</translation>
    </message>
    <message>
        <source>trialIds must be a list of 1 to %1 ids.</source>
        <translation>trialIds 必须是含 1 到 %1 个 id 的列表。</translation>
    </message>
    <message>
        <source>trials holds more than %1 trials; send them in several requests.</source>
        <translation>trials 中的试验超过 %1 个；请分多个请求发送。</translation>
    </message>
    <message>
        <source>trials is empty.</source>
        <translation>trials 为空。</translation>
    </message>
    <message>
        <source>trials must be a list.</source>
        <translation>trials 必须是列表。</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>tuner.classArgs must be a JSON object.</source>
        <translation>tuner.classArgs 必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>tuner.name is required; leave tuner out when trials come from outside.</source>
        <translation>tuner.name 是必需的；如果试验来自外部，请不要给出 tuner。</translation>
    </message>
    <message>
        <source>type is neither PERIODICAL nor FINAL</source>
        <translation>type 既不是 PERIODICAL 也不是 FINAL</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>waiting for an answer of a person</source>
        <translation>正在等待人工回答</translation>
    </message>
    <message>
        <source>waiting for the program ssh</source>
        <translation>正在等待 ssh 程序</translation>
    </message>
    <message>
        <source>waits for an answer of a person</source>
        <translation>正在等待人工回答</translation>
    </message>
    <message>
        <source>wants the machine %1, which is %2</source>
        <translation>需要机器 %1，而它%2</translation>
    </message>
    <message>
        <source>wants the machine %1, which the platform %2 does not have</source>
        <translation>需要机器 %1，而平台 %2 没有它</translation>
    </message>
    <message>
        <source>which does not exist</source>
        <translation>而它不存在</translation>
    </message>
    <message>
        <source>which is left out</source>
        <translation>而它未被包含</translation>
    </message>
    <message>
        <source>would lie outside the folder</source>
        <translation>会位于文件夹之外</translation>
    </message>
    <message>
        <source>write a name, an address or a Host of your SSH settings.</source>
        <translation>请写名称、地址或您的 SSH 设置中的 Host。</translation>
    </message>
    <message>
        <source>write the name of the account alone.</source>
        <translation>请只写帐户名。</translation>
    </message>
    <message>
        <source>x must be &quot;step&quot;, &quot;time&quot; or &quot;relative&quot;.</source>
        <translation>x 必须是 &quot;step&quot;、&quot;time&quot; 或 &quot;relative&quot;。</translation>
    </message>
    <message>
        <source>yes; the agent was brought</source>
        <translation>是；代理已送达</translation>
    </message>
    <message>
        <source>“%1” is no search: %2</source>
        <translation>“%1” 不是有效的搜索写法：%2</translation>
    </message>
    <message>
        <source>“%1” must be NAME=SPEC, such as lr=log:1e-4..1e-1.</source>
        <translation>“%1” 必须是 NAME=SPEC，例如 lr=log:1e-4..1e-1。</translation>
    </message>
    <message>
        <source>no contact with %1</source>
        <translation>与 %1 失去联系</translation>
    </message>
    <message>
        <source>no contact with %1 since %2</source>
        <translation>自 %2 起与 %1 失去联系</translation>
    </message>
    <message>
        <source>the platform %1</source>
        <translation>平台 %1</translation>
    </message>
    <message>
        <source>trials[%1]</source>
        <translation>trials[%1]</translation>
    </message>
    <message>
        <source>A line of shell that is run before the agent starts, for example `module load cuda`.</source>
        <translation>在代理启动前执行的一行 shell 命令，例如 `module load cuda`。</translation>
    </message>
    <message>
        <source>A name or address, or a Host of your ~/.ssh/config, whose settings then hold.</source>
        <translation>名称或地址，或者 ~/.ssh/config 中的一个 Host，此时采用其设置。</translation>
    </message>
    <message>
        <source>Better leave it empty and use a key; you are asked when one is needed.</source>
        <translation>最好留空并使用密钥；需要密码时会询问您。</translation>
    </message>
    <message>
        <source>By default that of your SSH settings, else 22.</source>
        <translation>默认为 SSH 设置中的端口，否则为 22。</translation>
    </message>
    <message>
        <source>By default that of your SSH settings, else your name here.</source>
        <translation>默认为 SSH 设置中的用户，否则为您在本机的用户名。</translation>
    </message>
    <message>
        <source>Command before</source>
        <translation>前置命令</translation>
    </message>
    <message>
        <source>Each needs an account with a shell, and nothing else.</source>
        <translation>每台机器只需要一个带 shell 的帐户。</translation>
    </message>
    <message>
        <source>Folder for trials</source>
        <translation>试验文件夹</translation>
    </message>
    <message>
        <source>Folder of Python</source>
        <translation>Python 所在文件夹</translation>
    </message>
    <message>
        <source>For keys in hardware, GSSAPI or a ControlMaster: `ssh` makes the connection, and must not need to ask.</source>
        <translation>用于硬件密钥、GSSAPI 或 ControlMaster：由 `ssh` 建立连接，且不得需要询问。</translation>
    </message>
    <message>
        <source>Goes before PATH for trials, for example /opt/conda/bin.</source>
        <translation>置于试验的 PATH 之前，例如 /opt/conda/bin。</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Key file</source>
        <translation>密钥文件</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Machines over SSH</source>
        <translation>SSH 机器</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Passphrase of the key</source>
        <translation>密钥的口令</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This key alone is used, instead of those of your SSH settings and ssh-agent.</source>
        <translation>仅使用此密钥，而不使用 SSH 设置和 ssh-agent 中的密钥。</translation>
    </message>
    <message>
        <source>Use the program ssh</source>
        <translation>使用 ssh 程序</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>What the machine is called here; made from its address when it is added. a-z, 0-9, &apos;.&apos; and &apos;-&apos;.</source>
        <translation>机器在此处的名称；添加时根据其地址生成。可用 a-z、0-9、“.” 和 “-”。</translation>
    </message>
    <message>
        <source>Where trials run and keep their files; by default in the data folder.</source>
        <translation>试验运行和保存文件的位置；默认在数据文件夹中。</translation>
    </message>
    <message>
        <source>Where trials run on this machine; by default ~/.local/share/trialdeck-agent.</source>
        <translation>试验在此机器上运行的位置；默认为 ~/.local/share/trialdeck-agent。</translation>
    </message>
    <message>
        <source>You are asked when one is needed.</source>
        <translation>需要时会询问您。</translation>
    </message>
    <message>
        <source>nested more than %1 levels deep</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>%1 answered with %2 where %3 is expected. Check the address: something else may answer there.</source>
        <translation>%1 的应答是 %2，而应为 %3。请检查地址：应答的可能是其他程序。</translation>
    </message>
    <message>
        <source>%1 answered with status %2.</source>
        <translation>%1 以状态 %2 应答。</translation>
    </message>
    <message>
        <source>%1 broke the protocol of WebSockets.</source>
        <translation>%1 违反了 WebSocket 协议。</translation>
    </message>
    <message>
        <source>%1 cannot be reached: %2.</source>
        <translation>无法连接 %1：%2。</translation>
    </message>
    <message>
        <source>%1 closed the connection without an answer.</source>
        <translation>%1 未应答就关闭了连接。</translation>
    </message>
    <message>
        <source>%1 did not answer in time.</source>
        <translation>%1 未及时应答。</translation>
    </message>
    <message>
        <source>%1 does not accept the client certificate, or wants one. Correct it in the platform&apos;s settings.</source>
        <translation>%1 不接受客户端证书，或要求提供证书。请在平台设置中更正。</translation>
    </message>
    <message>
        <source>%1 does not accept the credentials (401). Enter valid ones in the platform&apos;s settings.</source>
        <translation>%1 不接受凭据 (401)。请在平台设置中输入有效的凭据。</translation>
    </message>
    <message>
        <source>%1 does not accept the credentials, also not renewed ones. Enter valid ones in the platform&apos;s settings.</source>
        <translation>%1 不接受凭据，更新后的也不接受。请在平台设置中输入有效的凭据。</translation>
    </message>
    <message>
        <source>%1 does not permit this to the account of the platform&apos;s settings (403).</source>
        <translation>%1 不允许平台设置中的帐户执行此操作 (403)。</translation>
    </message>
    <message>
        <source>%1 does not speak WebSocket as it was asked to.</source>
        <translation>%1 未按要求使用 WebSocket。</translation>
    </message>
    <message>
        <source>%1 ended the connection without closing its WebSocket.</source>
        <translation>%1 未关闭 WebSocket 就结束了连接。</translation>
    </message>
    <message>
        <source>%1 is no address of HTTP.</source>
        <translation>%1 不是 HTTP 地址。</translation>
    </message>
    <message>
        <source>%1 redirects a request with data to another host, %2. Enter that address if it is the right one.</source>
        <translation>%1 将带有数据的请求重定向到另一主机 %2。如果该地址正确，请直接填写它。</translation>
    </message>
    <message>
        <source>%1 redirects from https to http, which would send data without encryption. Correct the address.</source>
        <translation>%1 从 https 重定向到 http，数据将不加密传输。请更正地址。</translation>
    </message>
    <message>
        <source>%1 redirects more than %2 times.</source>
        <translation>%1 的重定向超过 %2 次。</translation>
    </message>
    <message>
        <source>%1 redirects the request (%2), which is not followed.</source>
        <translation>%1 重定向了请求 (%2)，未予跟随。</translation>
    </message>
    <message>
        <source>%1 redirects to what is no address of HTTP.</source>
        <translation>%1 重定向到的不是 HTTP 地址。</translation>
    </message>
    <message>
        <source>%1 refuses the request: it is larger than the server accepts (413).</source>
        <translation>%1 拒绝请求：超过服务器接受的大小 (413)。</translation>
    </message>
    <message>
        <source>%1 sent more than %2 KiB, the most that this answer may have.</source>
        <translation>%1 发送的内容超过 %2 KiB，即此应答允许的上限。</translation>
    </message>
    <message>
        <source>%1 sent nothing for %2 seconds.</source>
        <translation>%1 已有 %2 秒未发送任何内容。</translation>
    </message>
    <message>
        <source>A client certificate needs its key, and a key its certificate.</source>
        <translation>客户端证书需要其密钥，密钥也需要其证书。</translation>
    </message>
    <message>
        <source>No token was given in time.</source>
        <translation>未及时取得令牌。</translation>
    </message>
    <message>
        <source>The WebSocket to %1 is closed.</source>
        <translation>与 %1 的 WebSocket 已关闭。</translation>
    </message>
    <message>
        <source>The address of a request is longer than 32 KiB, or holds characters that are not encoded.</source>
        <translation>请求的地址长于 32 KiB，或含有未编码的字符。</translation>
    </message>
    <message>
        <source>The address of the server must begin with http:// or https:// and name a host.</source>
        <translation>服务器地址必须以 http:// 或 https:// 开头并包含主机名。</translation>
    </message>
    <message>
        <source>The answer of %1 is damaged: %2.</source>
        <translation>%1 的应答已损坏：%2。</translation>
    </message>
    <message>
        <source>The answer of %1 is damaged: it is no valid JSON.</source>
        <translation>%1 的应答已损坏：不是有效的 JSON。</translation>
    </message>
    <message>
        <source>The certificate of %1 is not the one of the fingerprint in the platform&apos;s settings.</source>
        <translation>%1 的证书与平台设置中的指纹不符。</translation>
    </message>
    <message>
        <source>The certificate of %1 is not trusted: %2 Add its authority or its fingerprint to the platform&apos;s settings, if it is the right server.</source>
        <translation>%1 的证书不受信任：%2 如果服务器正确，请将其颁发机构或指纹加入平台设置。</translation>
    </message>
    <message>
        <source>The certificate of the authority cannot be read: it must be PEM text.</source>
        <translation>无法读取颁发机构的证书：必须是 PEM 文本。</translation>
    </message>
    <message>
        <source>The client certificate cannot be read: it must be PEM text.</source>
        <translation>无法读取客户端证书：必须是 PEM 文本。</translation>
    </message>
    <message>
        <source>The connection to %1 broke.</source>
        <translation>与 %1 的连接中断。</translation>
    </message>
    <message>
        <source>The file holds more than one YAML document; it must be one.</source>
        <translation>文件包含多个 YAML 文档；只能有一个。</translation>
    </message>
    <message>
        <source>The fingerprint must be 64 hexadecimal digits: SHA-256 of the certificate.</source>
        <translation>指纹必须是 64 位十六进制数字：证书的 SHA-256。</translation>
    </message>
    <message>
        <source>The header %1 is the client&apos;s to write.</source>
        <translation>标头 %1 由客户端自行写入。</translation>
    </message>
    <message>
        <source>The key of the client certificate cannot be read: it must be a PEM text of an RSA or EC key, and its passphrase right.</source>
        <translation>无法读取客户端证书的密钥：必须是 RSA 或 EC 密钥的 PEM 文本，且口令正确。</translation>
    </message>
    <message>
        <source>The proxy %1 wants other credentials. Correct them in the platform&apos;s settings.</source>
        <translation>代理服务器 %1 需要其他凭据。请在平台设置中更正。</translation>
    </message>
    <message>
        <source>The proxy must be an address such as http://proxy:3128 or socks5://proxy:1080.</source>
        <translation>代理服务器必须是 http://proxy:3128 或 socks5://proxy:1080 这样的地址。</translation>
    </message>
    <message>
        <source>The request to %1 cannot be written: a header, or the credentials, hold a line end or another character that must not be in them.</source>
        <translation>无法写入发往 %1 的请求：标头或凭据中含有换行或其他不允许的字符。</translation>
    </message>
    <message>
        <source>The system did not say in time which proxy to use.</source>
        <translation>系统未及时给出要使用的代理服务器。</translation>
    </message>
    <message>
        <source>This YAML is larger than 1 MiB, more than is read.</source>
        <translation>此 YAML 大于 1 MiB，超过可读取的大小。</translation>
    </message>
    <message>
        <source>This is no YAML.</source>
        <translation>这不是 YAML。</translation>
    </message>
    <message>
        <source>`%1` is given twice</source>
        <translation>`%1` 重复给出</translation>
    </message>
    <message>
        <source>`&lt;&lt;` takes a mapping, or a list of them</source>
        <translation>`&lt;&lt;` 需要一个映射或映射列表</translation>
    </message>
    <message>
        <source>a name must be one word, not a list or a mapping</source>
        <translation>名称必须是一个词，而不是列表或映射</translation>
    </message>
    <message>
        <source>interim answers do not end</source>
        <translation>中间应答没有结束</translation>
    </message>
    <message>
        <source>it chose none of the offered protocols</source>
        <translation>它未选择所提供的任何协议</translation>
    </message>
    <message>
        <source>it ends in its head</source>
        <translation>在头部中断</translation>
    </message>
    <message>
        <source>it holds more than %1 values</source>
        <translation>含有超过 %1 个值</translation>
    </message>
    <message>
        <source>it is nested more than %1 levels deep</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>it upgrades to something else</source>
        <translation>它升级到了其他协议</translation>
    </message>
    <message>
        <source>it uses an extension that was not offered</source>
        <translation>它使用了未提供的扩展</translation>
    </message>
    <message>
        <source>its chunks are malformed</source>
        <translation>分块格式错误</translation>
    </message>
    <message>
        <source>its compressed data stops in the middle</source>
        <translation>压缩数据中途中断</translation>
    </message>
    <message>
        <source>its compression is broken</source>
        <translation>压缩数据损坏</translation>
    </message>
    <message>
        <source>its head is not HTTP/1.1, malformed, or larger than 64 KiB</source>
        <translation>头部不是 HTTP/1.1、格式错误或大于 64 KiB</translation>
    </message>
    <message>
        <source>its length or coding cannot be understood</source>
        <translation>无法理解其长度或编码</translation>
    </message>
    <message>
        <source>status %1 instead of 101</source>
        <translation>状态为 %1 而不是 101</translation>
    </message>
    <message>
        <source>the connection ended before it did</source>
        <translation>连接在其结束之前中断</translation>
    </message>
    <message>
        <source>the connection was closed</source>
        <translation>连接已关闭</translation>
    </message>
    <message>
        <source>the proof of the key is wrong</source>
        <translation>密钥证明不正确</translation>
    </message>
    <message>
        <source>the quote that opens here is never closed</source>
        <translation>此处的引号没有闭合</translation>
    </message>
    <message>
        <source>the quote that opens here is not closed before the next field. Close it on its line, or indent the lines that it goes on in deeper than its field</source>
        <translation>此处的引号在下一字段之前没有闭合。请在该行闭合，或将后续各行缩进得比其字段更深</translation>
    </message>
    <message>
        <source>the tag %1 is not known here</source>
        <translation>此处不认识标签 %1</translation>
    </message>
    <message>
        <source>this is no UTF-8. Save the file with that encoding.</source>
        <translation>这不是 UTF-8。请以该编码保存文件。</translation>
    </message>
    <message>
        <source>this is no YAML (%1).</source>
        <translation>这不是 YAML（%1）。</translation>
    </message>
    <message>
        <source>Also place trials on GPUs that other programs compute on.</source>
        <translation>也将试验放到其他程序正在计算的 GPU 上。</translation>
    </message>
    <message>
        <source>GPUs to use</source>
        <translation>使用的 GPU</translation>
    </message>
    <message>
        <source>How many trials may share one GPU.</source>
        <translation>一个 GPU 最多可由几个试验共用。</translation>
    </message>
    <message>
        <source>Numbers as in nvidia-smi; empty uses all.</source>
        <translation>编号与 nvidia-smi 相同；留空则使用全部。</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>放置方式</translation>
    </message>
    <message>
        <source>The request was cancelled.</source>
        <translation>请求已取消。</translation>
    </message>
    <message>
        <source>This is no experiment file: it is larger than 1 MiB.</source>
        <translation>这不是实验文件：它大于 1 MiB。</translation>
    </message>
    <message>
        <source>Trials per GPU</source>
        <translation>每个 GPU 的试验数</translation>
    </message>
    <message>
        <source>Use busy GPUs</source>
        <translation>使用繁忙的 GPU</translation>
    </message>
    <message>
        <source>Where a trial with GPUs goes when several places are free: pack puts it beside others and keeps whole machines free, spread keeps it apart from others.</source>
        <translation>有多个空闲位置时使用 GPU 的试验放在哪里：pack 放在其他试验旁边，保留整台空闲机器；spread 与其他试验分开。</translation>
    </message>
    <message>
        <source>%1 did not start the command in time.</source>
        <translation>%1 未能及时启动该命令。</translation>
    </message>
    <message>
        <source>A command with a zero byte in an argument cannot run.</source>
        <translation>参数中含有零字节的命令无法运行。</translation>
    </message>
    <message>
        <source>A command without a program cannot run.</source>
        <translation>没有程序的命令无法运行。</translation>
    </message>
    <message>
        <source>The account&apos;s shell on %1 did not run the command (exit code %2); %3. Test it with: ssh %1 echo yes</source>
        <translation>%1 上账户的 shell 没有运行该命令（退出码 %2）；%3。请用以下命令测试：ssh %1 echo yes</translation>
    </message>
    <message>
        <source>The command on %1 ended without a word: its shell was killed, or the connection broke.</source>
        <translation>%1 上的命令没有给出结果就结束了：它的 shell 被杀死，或者连接断开了。</translation>
    </message>
    <message>
        <source>The command that %1 runs before each other one failed with exit code %2%3</source>
        <translation>在 %1 上每个命令之前运行的命令失败，退出码 %2%3</translation>
    </message>
    <message>
        <source>The command was cancelled.</source>
        <translation>该命令已被取消。</translation>
    </message>
    <message>
        <source>The connection to %1 has ended.</source>
        <translation>与 %1 的连接已结束。</translation>
    </message>
    <message>
        <source>The connection to %1 was closed.</source>
        <translation>与 %1 的连接已关闭。</translation>
    </message>
    <message>
        <source>The login shell on %1 did not start the command in time; %2.</source>
        <translation>%1 上的登录 shell 未能及时启动该命令；%2。</translation>
    </message>
    <message>
        <source>`%1` is no name of an environment variable.</source>
        <translation>`%1` 不是环境变量的名称。</translation>
    </message>
    <message>
        <source>`ssh` did not get in to %1 within 30 seconds.</source>
        <translation>`ssh` 在 30 秒内未能登录 %1。</translation>
    </message>
    <message>
        <source>it said: </source>
        <translation>它输出：</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>这台计算机</translation>
    </message>
    <message>
        <source>%1 on %2 could not be read to the end that it should have.</source>
        <translation>%2 上的 %1 没能读到应有的末尾。</translation>
    </message>
    <message>
        <source>%1 on %2 could not be removed wholly: %3</source>
        <translation>%2 上的 %1 未能完全删除：%3</translation>
    </message>
    <message>
        <source>%1 on %2 is not a file.</source>
        <translation>%2 上的 %1 不是文件。</translation>
    </message>
    <message>
        <source>%1 on %2 is not a folder, or something in it is in the way: %3</source>
        <translation>%2 上的 %1 不是文件夹，或者其中有东西妨碍：%3</translation>
    </message>
    <message>
        <source>%1 on %2 is on a file system that is mounted read-only there. Choose another folder, or have it mounted for writing.</source>
        <translation>%2 上的 %1 位于以只读方式挂载的文件系统上。请选择其他文件夹，或将其以可写方式挂载。</translation>
    </message>
    <message>
        <source>%1 on %2 is on a network file system that has lost its connection (stale file handle). It may have to be mounted again there.</source>
        <translation>%2 上的 %1 位于已失去连接的网络文件系统上（文件句柄失效）。可能需要在那里重新挂载。</translation>
    </message>
    <message>
        <source>%1 on %2 was not removed: a link leads there from another place.</source>
        <translation>%2 上的 %1 没有删除：有链接从其他位置指向那里。</translation>
    </message>
    <message>
        <source>Cannot read %1: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>The disk of %1 on %2 is full. Free some space there.</source>
        <translation>%2 上 %1 所在的磁盘已满。请在那里腾出一些空间。</translation>
    </message>
    <message>
        <source>The disk quota of your account for %1 on %2 is used up. Remove what is not needed there, or ask for more.</source>
        <translation>您的账户在 %2 上 %1 的磁盘配额已用完。请删除那里不需要的内容，或申请更多配额。</translation>
    </message>
    <message>
        <source>The file system of %1 does not answer on %2. Its server may be down.</source>
        <translation>%1 的文件系统在 %2 上没有响应。它的服务器可能已停机。</translation>
    </message>
    <message>
        <source>The file system of %1 does not answer on %2: %3. Its server may be down.</source>
        <translation>%1 的文件系统在 %2 上没有响应：%3。它的服务器可能已停机。</translation>
    </message>
    <message>
        <source>The folder %1 on %2 cannot be used: %3</source>
        <translation>%2 上的文件夹 %1 无法使用：%3</translation>
    </message>
    <message>
        <source>The shared folder &quot;%1&quot; is not an absolute path.</source>
        <translation>共享文件夹“%1”不是绝对路径。</translation>
    </message>
    <message>
        <source>The shell on %1 gave an answer about %2 that is not whole.</source>
        <translation>%1 上的 shell 关于 %2 的回答不完整。</translation>
    </message>
    <message>
        <source>There is no folder %1 on %2, or something in it is missing: %3</source>
        <translation>%2 上没有文件夹 %1，或者其中缺少内容：%3</translation>
    </message>
    <message>
        <source>Your account may not write to %1 on %2: %3. Choose a folder that belongs to it.</source>
        <translation>您的账户不能写入 %2 上的 %1：%3。请选择属于该账户的文件夹。</translation>
    </message>
    <message>
        <source> Slurm expects it to start in %1.</source>
        <translation>Slurm 预计它将在 %1 后开始。</translation>
    </message>
    <message>
        <source>%1 CPUs</source>
        <translation>%1 个 CPU</translation>
    </message>
    <message>
        <source>%1 MB of memory</source>
        <translation>%1 MB 内存</translation>
    </message>
    <message>
        <source>%1 cannot be used: Trialdeck sets this itself, or depends on it.</source>
        <translation>%1 不能使用：Trialdeck 自行设置此项，或依赖于它。</translation>
    </message>
    <message>
        <source>%1 holds a backslash, which Slurm does not take in the name of an output file.</source>
        <translation>%1 含有反斜杠，Slurm 的输出文件名不支持它。</translation>
    </message>
    <message>
        <source>%1 holds a line end or another control character, which no option of sbatch can carry.</source>
        <translation>%1 含有换行符或其他控制字符，sbatch 的选项无法包含它们。</translation>
    </message>
    <message>
        <source>%1 is down: an administrator has closed it. Wait until it is open again, or choose another partition.</source>
        <translation>%1 已停用：管理员已将其关闭。请等它重新开放，或选择其他分区。</translation>
    </message>
    <message>
        <source>%1 is inactive: an administrator has stopped it from starting jobs. Wait, or choose another partition.</source>
        <translation>%1 处于非活动状态：管理员已停止它启动作业。请等待，或选择其他分区。</translation>
    </message>
    <message>
        <source>%1 is longer than %2 KiB: it must be given as a file.</source>
        <translation>%1 超过 %2 KiB：必须以文件形式提供。</translation>
    </message>
    <message>
        <source>%1 is longer than %2 bytes.</source>
        <translation>%1 超过 %2 字节。</translation>
    </message>
    <message>
        <source>%1 is no option of sbatch: options begin with &apos;-&apos;, for example --constraint=a100.</source>
        <translation>%1 不是 sbatch 的选项：选项以 &apos;-&apos; 开头，例如 --constraint=a100。</translation>
    </message>
    <message>
        <source>%1 must be an absolute path on the shared file system, not &quot;%2&quot;.</source>
        <translation>%1 必须是共享文件系统上的绝对路径，而不是 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>1 CPU</source>
        <translation>1 个 CPU</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 个 GPU</translation>
    </message>
    <message>
        <source>A container runtime is chosen, but no container image.</source>
        <translation>已选择容器运行时，但没有容器镜像。</translation>
    </message>
    <message>
        <source>A folder of the container</source>
        <translation>容器的文件夹</translation>
    </message>
    <message>
        <source>A folder on a file system that the computer with Slurm&apos;s commands and all nodes share, as an absolute path.</source>
        <translation>带有 Slurm 命令的计算机与所有节点共享的文件系统上的文件夹，写成绝对路径。</translation>
    </message>
    <message>
        <source>A job&apos;s name is made of letters, digits, &apos;_&apos; and &apos;-&apos;, not &quot;%1&quot;.</source>
        <translation>作业名由字母、数字、&apos;_&apos; 和 &apos;-&apos; 组成，而不是 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>A node that it needs is down, drained or reserved. It starts when the node is back; see the nodes&apos; states for the reason.</source>
        <translation>它需要的节点已宕机、被排空或被预留。节点恢复后它会开始；原因见节点的状态。</translation>
    </message>
    <message>
        <source>A node that it needs is down. It starts when the node is back, or on another one.</source>
        <translation>它需要的节点已宕机。节点恢复后它会开始，或在其他节点上开始。</translation>
    </message>
    <message>
        <source>A number of GPUs, CPUs, memory or time is out of its range.</source>
        <translation>GPU、CPU、内存或时间的数值超出范围。</translation>
    </message>
    <message>
        <source>A path of a .sif file, or docker://…; empty runs trials on the node itself.</source>
        <translation>.sif 文件的路径，或 docker://…；留空则直接在节点上运行试验。</translation>
    </message>
    <message>
        <source>A reservation to run in (sbatch --reservation).</source>
        <translation>在其中运行的预留（sbatch --reservation）。</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>All jobs of %1 together have reached a limit (%2). It starts when one of them ends.</source>
        <translation>%1 的所有作业合计已达到上限（%2）。其中一个结束后它会开始。</translation>
    </message>
    <message>
        <source>As Slurm has it: 90 (minutes), 2:00:00 or 1-12:00:00; by default that of the partition.</source>
        <translation>按 Slurm 的写法：90（分钟）、2:00:00 或 1-12:00:00；默认为分区的时间限制。</translation>
    </message>
    <message>
        <source>As many tasks of its array run as may run at once.</source>
        <translation>其数组中同时运行的任务已达到允许的数量。</translation>
    </message>
    <message>
        <source>As the cluster names it in its GRES, for example a100; empty takes any.</source>
        <translation>按集群在 GRES 中的名称，例如 a100；留空则任意。</translation>
    </message>
    <message>
        <source>CPUs a trial</source>
        <translation>每个试验的 CPU</translation>
    </message>
    <message>
        <source>Chooses the cluster where there are several (SLURM_CONF); usually empty.</source>
        <translation>有多个集群时用于选择集群（SLURM_CONF）；通常留空。</translation>
    </message>
    <message>
        <source>Constraint</source>
        <translation>约束</translation>
    </message>
    <message>
        <source>Container image</source>
        <translation>容器镜像</translation>
    </message>
    <message>
        <source>Containers</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>Each trial has its node for itself.</source>
        <translation>每个试验独占其节点。</translation>
    </message>
    <message>
        <source>Extra arguments</source>
        <translation>额外参数</translation>
    </message>
    <message>
        <source>Features that a node must have (sbatch --constraint), for example a100|h100.</source>
        <translation>节点必须具备的特性（sbatch --constraint），例如 a100|h100。</translation>
    </message>
    <message>
        <source>For example 8 GB. Without it Slurm would give a trial the memory of a whole node, and trials would run one by one.</source>
        <translation>例如 8 GB。若不指定，Slurm 会把整个节点的内存分给一个试验，试验只能逐个运行。</translation>
    </message>
    <message>
        <source>GPU type</source>
        <translation>GPU 类型</translation>
    </message>
    <message>
        <source>GPUs are asked for by</source>
        <translation>请求 GPU 的方式</translation>
    </message>
    <message>
        <source>How many CPUs each trial gets.</source>
        <translation>每个试验获得多少个 CPU。</translation>
    </message>
    <message>
        <source>How many jobs may be in Slurm&apos;s queue at once, waiting ones included; 0 sets no limit of ours.</source>
        <translation>Slurm 队列中最多可同时有多少个作业（包括等待的）；0 表示不设限制。</translation>
    </message>
    <message>
        <source>How often the queue is asked for; at least 10, because every question is work for Slurm&apos;s controller.</source>
        <translation>查询队列的间隔；至少 10，因为每次查询都会增加 Slurm 控制器的负担。</translation>
    </message>
    <message>
        <source>It asks for %1, which is more than %2 allows. Ask for less, or choose another partition.</source>
        <translation>它请求 %1，超过%2允许的数量。请减少请求，或选择其他分区。</translation>
    </message>
    <message>
        <source>It asks for more CPUs than one node, or the partition, gives (%1). Ask for fewer.</source>
        <translation>它请求的 CPU 多于一个节点或该分区能提供的数量（%1）。请减少请求。</translation>
    </message>
    <message>
        <source>It asks for more than %1 allows. Ask for less, or choose another partition.</source>
        <translation>它请求的资源超过%1允许的数量。请减少请求，或选择其他分区。</translation>
    </message>
    <message>
        <source>It asks for more than a limit of the account or the QOS allows (%1). Ask for less, or choose another account or QOS.</source>
        <translation>它请求的资源超过账户或 QOS 的限制（%1）。请减少请求，或选择其他账户或 QOS。</translation>
    </message>
    <message>
        <source>It is held by an administrator of the cluster, who alone can release it.</source>
        <translation>它被集群管理员保留，只有管理员能释放它。</translation>
    </message>
    <message>
        <source>It is held by its user. Let it go: `scontrol release JOBID`.</source>
        <translation>它被其用户保留。请释放它：`scontrol release JOBID`。</translation>
    </message>
    <message>
        <source>It is not known whether Slurm took the job (%1). The queue is searched for it before anything is submitted again.</source>
        <translation>不知道 Slurm 是否接受了作业（%1）。再次提交之前会先在队列中查找它。</translation>
    </message>
    <message>
        <source>It waits for %1 to become free in %2.</source>
        <translation>它在等待 %2 中的 %1 空闲。</translation>
    </message>
    <message>
        <source>It waits for a license that other jobs use.</source>
        <translation>它在等待其他作业正在使用的许可证。</translation>
    </message>
    <message>
        <source>It waits for another job that it depends on (--dependency).</source>
        <translation>它在等待所依赖的另一个作业（--dependency）。</translation>
    </message>
    <message>
        <source>It waits for its reservation to begin, or for a place in it.</source>
        <translation>它在等待其预留开始，或等待预留中的空位。</translation>
    </message>
    <message>
        <source>It waits for what it needs to become free in %1.</source>
        <translation>它在等待 %1 中所需的资源空闲。</translation>
    </message>
    <message>
        <source>It was put back into the queue too often, and is held. Find out why its launch fails, then `scontrol release JOBID`.</source>
        <translation>它被放回队列的次数过多，已被保留。请查明启动失败的原因，然后执行 `scontrol release JOBID`。</translation>
    </message>
    <message>
        <source>Its QOS is not valid any more. Correct the QOS in the settings.</source>
        <translation>其 QOS 已失效。请在设置中更正 QOS。</translation>
    </message>
    <message>
        <source>Its QOS may not use %1. Choose another QOS or partition.</source>
        <translation>其 QOS 不能使用%1。请选择其他 QOS 或分区。</translation>
    </message>
    <message>
        <source>Its account is not valid any more. Correct the account in the settings.</source>
        <translation>其账户已失效。请在设置中更正账户。</translation>
    </message>
    <message>
        <source>Its account may not use %1. Choose another account or partition.</source>
        <translation>其账户不能使用%1。请选择其他账户或分区。</translation>
    </message>
    <message>
        <source>Its earlier run is still being cleaned up.</source>
        <translation>其上一次运行仍在清理中。</translation>
    </message>
    <message>
        <source>Its earliest start is not reached: it asked for one, or it was put back into the queue a short time ago.</source>
        <translation>尚未到达其最早开始时间：它请求了开始时间，或刚刚被放回队列。</translation>
    </message>
    <message>
        <source>Its launch failed on the node, and Slurm holds it. Find out why (the node&apos;s slurmd log), then `scontrol release JOBID`, or cancel it.</source>
        <translation>它在节点上启动失败，Slurm 已将其保留。请查明原因（节点的 slurmd 日志），然后执行 `scontrol release JOBID`，或取消它。</translation>
    </message>
    <message>
        <source>Its reservation cannot be used, so it never starts. Remove or change the reservation in the settings.</source>
        <translation>其预留无法使用，因此它永远不会开始。请在设置中移除或更改预留。</translation>
    </message>
    <message>
        <source>Its reservation was deleted, so it never starts. Remove or change the reservation in the settings.</source>
        <translation>其预留已被删除，因此它永远不会开始。请在设置中移除或更改预留。</translation>
    </message>
    <message>
        <source>Its time limit is above that of %1, so it never starts. Set timeLimit lower, or choose another partition.</source>
        <translation>其时间限制超过 %1 的限制，因此它永远不会开始。请调低 timeLimit，或选择其他分区。</translation>
    </message>
    <message>
        <source>Its time limit, %1, is above that of %2, %3, so it never starts. Set timeLimit lower, or choose another partition.</source>
        <translation>其时间限制 %1 超过 %2 的限制 %3，因此它永远不会开始。请调低 timeLimit，或选择其他分区。</translation>
    </message>
    <message>
        <source>Lines of bash that are run on the node before each trial, for example `module load cuda`.</source>
        <translation>每个试验之前在节点上运行的 bash 命令行，例如 `module load cuda`。</translation>
    </message>
    <message>
        <source>Login node</source>
        <translation>登录节点</translation>
    </message>
    <message>
        <source>Memory a trial</source>
        <translation>每个试验的内存</translation>
    </message>
    <message>
        <source>More options of sbatch, separated by blanks, for example --nice=100; a value with blanks in double quotes.</source>
        <translation>更多 sbatch 选项，用空格分隔，例如 --nice=100；含空格的值放在双引号中。</translation>
    </message>
    <message>
        <source>Most jobs at once</source>
        <translation>同时作业数上限</translation>
    </message>
    <message>
        <source>No node can fulfil what the trial asks for (%1). Ask for fewer GPUs or CPUs or less memory, or choose another partition.</source>
        <translation>没有节点能满足试验的请求（%1）。请减少 GPU、CPU 或内存，或选择其他分区。</translation>
    </message>
    <message>
        <source>No node has so much memory (%1). Ask for less, or choose another partition.</source>
        <translation>没有节点有这么多内存（%1）。请减少请求，或选择其他分区。</translation>
    </message>
    <message>
        <source>No node has the features of the constraint (%1). See `sinfo -o &apos;%N %f&apos;`.</source>
        <translation>没有节点具备约束所要求的特性（%1）。请查看 `sinfo -o &apos;%N %f&apos;`。</translation>
    </message>
    <message>
        <source>No node of %1 can fulfil what it asks for (%2). Correct the GPUs, the memory, the CPUs or the constraint.</source>
        <translation>%1 中没有节点能满足它的请求（%2）。请更正 GPU、内存、CPU 或约束。</translation>
    </message>
    <message>
        <source>No node of %1 can fulfil what it asks for. Correct the GPUs, the memory, the CPUs or the constraint.</source>
        <translation>%1 中没有节点能满足它的请求。请更正 GPU、内存、CPU 或约束。</translation>
    </message>
    <message>
        <source>One job may not ask for so much, or so little, by a limit of %1 (%2), so it never starts. Change what it asks for, or choose another account or QOS.</source>
        <translation>按 %1 的限制（%2），单个作业不能请求这么多或这么少的资源，因此它永远不会开始。请更改请求，或选择其他账户或 QOS。</translation>
    </message>
    <message>
        <source>Other jobs in %1 have a higher priority and start first.</source>
        <translation>%1 中的其他作业优先级更高，会先开始。</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Preamble</source>
        <translation>前置命令</translation>
    </message>
    <message>
        <source>QOS</source>
        <translation>QOS</translation>
    </message>
    <message>
        <source>Quality of service of the jobs (sbatch --qos).</source>
        <translation>作业的服务质量（sbatch --qos）。</translation>
    </message>
    <message>
        <source>Reservation</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Run again after a preemption</source>
        <translation>被抢占后重新运行</translation>
    </message>
    <message>
        <source>Seconds between questions</source>
        <translation>查询间隔秒数</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>Slurm could not load its jobs (%1). It is asked again.</source>
        <translation>Slurm 未能加载其作业（%1）。将再次查询。</translation>
    </message>
    <message>
        <source>Slurm does not know such GPUs (%1). Correct the GPU type, or see `sinfo -o &apos;%N %G&apos;`.</source>
        <translation>Slurm 不认识这样的 GPU（%1）。请更正 GPU 类型，或查看 `sinfo -o &apos;%N %G&apos;`。</translation>
    </message>
    <message>
        <source>Slurm does not permit this (%1). See with whose account %2 is called.</source>
        <translation>Slurm 不允许此操作（%1）。请查看以谁的账户调用 %2。</translation>
    </message>
    <message>
        <source>Slurm does not take the job&apos;s script for one (%1).</source>
        <translation>Slurm 不认可该作业脚本（%1）。</translation>
    </message>
    <message>
        <source>Slurm does not understand a value of the settings (%1). Correct it.</source>
        <translation>Slurm 无法理解设置中的某个值（%1）。请更正它。</translation>
    </message>
    <message>
        <source>Slurm has no such partition, or it is not open to this account (%1). Choose one that `sinfo` lists.</source>
        <translation>Slurm 没有这个分区，或它不对此账户开放（%1）。请选择 `sinfo` 列出的分区。</translation>
    </message>
    <message>
        <source>Slurm lets it wait: %1.</source>
        <translation>Slurm 让它等待：%1。</translation>
    </message>
    <message>
        <source>Slurm puts a trial back into the queue when its node fails or another job takes its place; it then begins anew.</source>
        <translation>节点故障或其他作业占用其位置时，Slurm 会把试验放回队列；之后它会从头开始。</translation>
    </message>
    <message>
        <source>Slurm refuses who asks (%1). The service munge must run on the computer where %2 is called, with the cluster&apos;s key.</source>
        <translation>Slurm 拒绝请求者（%1）。在调用 %2 的计算机上必须运行使用集群密钥的 munge 服务。</translation>
    </message>
    <message>
        <source>Slurm takes no more jobs of yours at the moment (%1). The trial is submitted when one of them ends.</source>
        <translation>Slurm 目前不再接受您的作业（%1）。其中一个结束后会提交该试验。</translation>
    </message>
    <message>
        <source>Slurm&apos;s accounting database does not answer. It is asked again.</source>
        <translation>Slurm 的记账数据库没有应答。将再次查询。</translation>
    </message>
    <message>
        <source>Slurm&apos;s commands</source>
        <translation>Slurm 命令</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller could not keep the job (%1), so nothing was submitted. It is tried again.</source>
        <translation>Slurm 控制器未能保存作业（%1），因此没有提交任何内容。将重试。</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller did not answer %1 in time. It is asked again, less often; if this lasts, see `scontrol ping`.</source>
        <translation>Slurm 控制器没有及时应答 %1。将降低频率再次查询；若持续如此，请查看 `scontrol ping`。</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller does not answer, so nothing was submitted. It is tried again; see `scontrol ping`.</source>
        <translation>Slurm 控制器没有应答，因此没有提交任何内容。将重试；请查看 `scontrol ping`。</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller does not answer. Jobs that run are not affected; it is asked again. See `scontrol ping`.</source>
        <translation>Slurm 控制器没有应答。正在运行的作业不受影响；将再次查询。请查看 `scontrol ping`。</translation>
    </message>
    <message>
        <source>So many seconds before its time limit the trial gets SIGUSR1, to save a checkpoint; 0 sends none. A program that does not handle it is ended by it.</source>
        <translation>在时间限制之前这么多秒，试验会收到 SIGUSR1，以便保存检查点；0 表示不发送。不处理该信号的程序会被它终止。</translation>
    </message>
    <message>
        <source>The GPU type</source>
        <translation>GPU 类型</translation>
    </message>
    <message>
        <source>The GPU type is one word, without &apos;,&apos;, &apos;:&apos; and &apos;=&apos;, not &quot;%1&quot;.</source>
        <translation>GPU 类型是一个单词，不含 &apos;,&apos;、&apos;:&apos; 和 &apos;=&apos;，而不是 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>The QOS</source>
        <translation>QOS</translation>
    </message>
    <message>
        <source>The QOS is not known, or not open to this account (%1). See `sacctmgr show assoc user=$USER format=qos`.</source>
        <translation>不认识该 QOS，或它不对此账户开放（%1）。请查看 `sacctmgr show assoc user=$USER format=qos`。</translation>
    </message>
    <message>
        <source>The account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>The account is not known, or may not use this partition (%1). See `sacctmgr show assoc user=$USER`.</source>
        <translation>不认识该账户，或它不能使用此分区（%1）。请查看 `sacctmgr show assoc user=$USER`。</translation>
    </message>
    <message>
        <source>The answer of sacct is incomplete or has another form than expected. It is asked again.</source>
        <translation>sacct 的应答不完整或格式与预期不同。将再次查询。</translation>
    </message>
    <message>
        <source>The answer of scontrol is incomplete. It is asked again.</source>
        <translation>scontrol 的应答不完整。将再次查询。</translation>
    </message>
    <message>
        <source>The answer of squeue is incomplete or has another form than expected. It is asked again.</source>
        <translation>squeue 的应答不完整或格式与预期不同。将再次查询。</translation>
    </message>
    <message>
        <source>The cluster prepares its node (prolog).</source>
        <translation>集群正在准备其节点（prolog）。</translation>
    </message>
    <message>
        <source>The command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>The command %1 cannot be run there. Install Slurm&apos;s client commands, or name a login node that has them.</source>
        <translation>那里无法运行命令 %1。请安装 Slurm 的客户端命令，或指定带有这些命令的登录节点。</translation>
    </message>
    <message>
        <source>The command %1 failed with exit code %2 and said nothing.</source>
        <translation>命令 %1 失败，退出码为 %2，没有任何输出。</translation>
    </message>
    <message>
        <source>The command %1 failed: %2.</source>
        <translation>命令 %1 失败：%2。</translation>
    </message>
    <message>
        <source>The command %1 finds no slurm.conf (%2). Name it in the settings (slurmConf), or choose a login node of the cluster.</source>
        <translation>命令 %1 找不到 slurm.conf（%2）。请在设置中指定它（slurmConf），或选择集群的登录节点。</translation>
    </message>
    <message>
        <source>The command %1 was killed by signal %2 before it answered.</source>
        <translation>命令 %1 在应答之前被信号 %2 终止。</translation>
    </message>
    <message>
        <source>The command sinfo does not say a version of Slurm. Is it Slurm&apos;s?</source>
        <translation>命令 sinfo 没有给出 Slurm 的版本。它是 Slurm 的命令吗？</translation>
    </message>
    <message>
        <source>The computing time of %1 is used up (%2). It starts when the time is renewed or another account or QOS is chosen.</source>
        <translation>%1 的计算时间已用完（%2）。时间更新或选择其他账户或 QOS 后它会开始。</translation>
    </message>
    <message>
        <source>The constraint</source>
        <translation>约束</translation>
    </message>
    <message>
        <source>The container image</source>
        <translation>容器镜像</translation>
    </message>
    <message>
        <source>The container image must not begin with &apos;-&apos;.</source>
        <translation>容器镜像不能以 &apos;-&apos; 开头。</translation>
    </message>
    <message>
        <source>The environment variable %1</source>
        <translation>环境变量 %1</translation>
    </message>
    <message>
        <source>The environment variable %1 holds a NUL character, which none can.</source>
        <translation>环境变量 %1 含有 NUL 字符，环境变量不能包含它。</translation>
    </message>
    <message>
        <source>The extra argument &quot;%1&quot;</source>
        <translation>额外参数 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>The folder &quot;%1&quot; cannot be given to a container: its name holds &apos;:&apos; or &apos;,&apos;. Choose another working directory.</source>
        <translation>无法把文件夹 &quot;%1&quot; 提供给容器：其名称含有 &apos;:&apos; 或 &apos;,&apos;。请选择其他工作目录。</translation>
    </message>
    <message>
        <source>The job that it depends on has ended otherwise than --dependency asks, so it never starts. Cancel it.</source>
        <translation>它所依赖的作业的结束方式不符合 --dependency 的要求，因此它永远不会开始。请取消它。</translation>
    </message>
    <message>
        <source>The job&apos;s script is %1 KiB, and Slurm takes at most 4 MiB: put long values into files.</source>
        <translation>作业脚本为 %1 KiB，而 Slurm 最多接受 4 MiB：请把较长的值放入文件。</translation>
    </message>
    <message>
        <source>The log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>The nodes that it needs are down, drained, or reserved for jobs in partitions of a higher priority. See the nodes&apos; states for the reason.</source>
        <translation>它需要的节点已宕机、被排空，或预留给更高优先级分区中的作业。原因见节点的状态。</translation>
    </message>
    <message>
        <source>The partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>The partition %1</source>
        <translation>分区 %1</translation>
    </message>
    <message>
        <source>The partition does not take jobs of this many nodes (%1). Choose another one.</source>
        <translation>该分区不接受此节点数的作业（%1）。请选择其他分区。</translation>
    </message>
    <message>
        <source>The path of the keeper</source>
        <translation>守护程序的路径</translation>
    </message>
    <message>
        <source>The preamble holds a NUL character, which no script can carry.</source>
        <translation>前置命令含有 NUL 字符，脚本无法包含它。</translation>
    </message>
    <message>
        <source>The queue of Slurm is larger than what is read of it.</source>
        <translation>Slurm 的队列大于可读取的大小。</translation>
    </message>
    <message>
        <source>The reservation</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>The reservation cannot be used (%1). See `scontrol show reservation`, or leave it out.</source>
        <translation>该预留无法使用（%1）。请查看 `scontrol show reservation`，或不使用预留。</translation>
    </message>
    <message>
        <source>The text of parameter.cfg</source>
        <translation>parameter.cfg 的文本</translation>
    </message>
    <message>
        <source>The text of the parameters</source>
        <translation>参数的文本</translation>
    </message>
    <message>
        <source>The time limit is missing, or above what the partition allows (%1). Set timeLimit within it.</source>
        <translation>缺少时间限制，或超过分区允许的限制（%1）。请把 timeLimit 设在限制之内。</translation>
    </message>
    <message>
        <source>The trial&apos;s folder</source>
        <translation>试验的文件夹</translation>
    </message>
    <message>
        <source>There is no command.</source>
        <translation>没有命令。</translation>
    </message>
    <message>
        <source>This Slurm does not know an option of the extra arguments (%1). Correct extraArgs.</source>
        <translation>此 Slurm 不认识额外参数中的某个选项（%1）。请更正 extraArgs。</translation>
    </message>
    <message>
        <source>Warning before the time limit</source>
        <translation>时间限制前的警告</translation>
    </message>
    <message>
        <source>What runs the trials whose experiment names an image: apptainer, or NVIDIA&apos;s pyxis and enroot.</source>
        <translation>实验指定镜像时用什么运行试验：apptainer，或 NVIDIA 的 pyxis 和 enroot。</translation>
    </message>
    <message>
        <source>Where jobs are submitted; by default the cluster&apos;s default partition.</source>
        <translation>提交作业的分区；默认为集群的默认分区。</translation>
    </message>
    <message>
        <source>Whole nodes</source>
        <translation>独占节点</translation>
    </message>
    <message>
        <source>Whose share the jobs use (sbatch --account); by default yours.</source>
        <translation>作业使用谁的份额（sbatch --account）；默认为您的。</translation>
    </message>
    <message>
        <source>With ssh: a name or address, or a Host of your ~/.ssh/config, whose settings then hold.</source>
        <translation>使用 ssh 时：名称或地址，或 ~/.ssh/config 中的 Host，此时使用其设置。</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Your jobs have reached a limit of %1 (%2). It starts when one of them ends.</source>
        <translation>您的作业已达到 %1 的上限（%2）。其中一个结束后它会开始。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of an environment variable.</source>
        <translation>&quot;%1&quot; 不是环境变量的名称。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no size of memory. Write it as 8 GB or 512 MB.</source>
        <translation>&quot;%1&quot; 不是内存大小。请写作 8 GB 或 512 MB。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no time limit. Write it as 90 (minutes), 2:00:00 or 1-12:00:00.</source>
        <translation>&quot;%1&quot; 不是时间限制。请写作 90（分钟）、2:00:00 或 1-12:00:00。</translation>
    </message>
    <message>
        <source>gres works everywhere; gpus (--gpus-per-node) is for clusters that insist on it.</source>
        <translation>gres 处处可用；gpus（--gpus-per-node）用于要求它的集群。</translation>
    </message>
    <message>
        <source>slurm.conf</source>
        <translation>slurm.conf</translation>
    </message>
    <message>
        <source>the QOS</source>
        <translation>该 QOS</translation>
    </message>
    <message>
        <source>the account</source>
        <translation>该账户</translation>
    </message>
    <message>
        <source>the partition</source>
        <translation>该分区</translation>
    </message>
    <message>
        <source>the partition %1</source>
        <translation>分区 %1</translation>
    </message>
    <message>
        <source>no whole answer in time</source>
        <translation>未及时收到完整应答</translation>
    </message>
    <message>
        <source>sbatch printed no id</source>
        <translation>sbatch 没有输出编号</translation>
    </message>
    <message>
        <source>sbatch was killed</source>
        <translation>sbatch 被终止</translation>
    </message>
    <message>
        <source>A part of a log has no valid run or offset.</source>
        <translation>日志的一部分没有有效的运行编号或偏移量。</translation>
    </message>
    <message>
        <source>The kept log %1 cannot be removed.</source>
        <translation>无法删除保存的日志 %1。</translation>
    </message>
    <message>
        <source>The log of trial %1 cannot be kept</source>
        <translation>无法保存试验 %1 的日志</translation>
    </message>
    <message>
        <source>%1 is a machine of the platform %2, whose own scheduler decides what runs there: it cannot be drained or reserved here.</source>
        <translation>%1 是平台 %2 的机器，在其上运行什么由该平台自己的调度器决定：不能在此排空或预留。</translation>
    </message>
    <message>
        <source>%1 things that belong to no trial of the experiment here were removed.</source>
        <translation>移除了 %1 项在此处不属于该实验任何试验的内容。</translation>
    </message>
    <message>
        <source>The platform %1 is open.</source>
        <translation>平台 %1 已打开。</translation>
    </message>
    <message>
        <source>There is no platform option %1; there is: %2.</source>
        <translation>没有平台选项 %1；可用的有：%2。</translation>
    </message>
    <message>
        <source>There is no secret %1.</source>
        <translation>没有机密 %1。</translation>
    </message>
    <message>
        <source>These settings mean another cluster</source>
        <translation>这些设置指向另一个集群</translation>
    </message>
    <message>
        <source>Waits again: </source>
        <translation>再次等待：</translation>
    </message>
    <message>
        <source>its platform ended it before it was started</source>
        <translation>平台在其启动之前就结束了它</translation>
    </message>
    <message>
        <source>the platform %1 is given no trials for now: %2</source>
        <translation>暂时不向平台 %1 提交试验：%2</translation>
    </message>
    <message>
        <source>the platform %1 took it back to its queue</source>
        <translation>平台 %1 将其放回了自己的队列</translation>
    </message>
    <message>
        <source>%1 bytes of %2 are missing in its log.</source>
        <translation>它的日志中缺少 %2 的 %1 字节。</translation>
    </message>
    <message>
        <source>%1 has no such job</source>
        <translation>%1 没有这个作业</translation>
    </message>
    <message>
        <source>%1 has no such job any more, and it had not started</source>
        <translation>%1 已没有这个作业，而它尚未启动</translation>
    </message>
    <message>
        <source>%1 jobs are in the cluster&apos;s queue, as many as the settings allow.</source>
        <translation>集群队列中已有 %1 个作业，达到设置允许的上限。</translation>
    </message>
    <message>
        <source>A line of its log is damaged: something else may write to the file.</source>
        <translation>它的日志有一行已损坏：可能有其他程序写入该文件。</translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrators whether slurmctld and munge run (`scontrol ping`).</source>
        <translation>请询问集群管理员 slurmctld 和 munge 是否在运行（`scontrol ping`）。</translation>
    </message>
    <message>
        <source>Check host, user and key; `ssh` from a terminal must work.</source>
        <translation>请检查主机、用户和密钥；在终端中 `ssh` 必须可用。</translation>
    </message>
    <message>
        <source>Choose one of %1.</source>
        <translation>请从 %1 中选择一个。</translation>
    </message>
    <message>
        <source>Controller</source>
        <translation>控制器</translation>
    </message>
    <message>
        <source>Install Slurm&apos;s commands (Debian: slurm-client) on %1, or choose a login node.</source>
        <translation>请在 %1 上安装 Slurm 的命令（Debian：slurm-client），或选择一个登录节点。</translation>
    </message>
    <message>
        <source>Look at the job with `sacct` or `scontrol show job`; the folder must be on a file system that the nodes share.</source>
        <translation>请用 `sacct` 或 `scontrol show job` 查看该作业；该文件夹必须位于各节点共享的文件系统上。</translation>
    </message>
    <message>
        <source>Name a folder on a file system that this computer and all nodes share, in which you may write.</source>
        <translation>请指定一个位于本机与所有节点共享的文件系统上、您可以写入的文件夹。</translation>
    </message>
    <message>
        <source>Slurm %1</source>
        <translation>Slurm %1</translation>
    </message>
    <message>
        <source>Slurm could not start it</source>
        <translation>Slurm 无法启动它</translation>
    </message>
    <message>
        <source>Slurm could not start it: %1</source>
        <translation>Slurm 无法启动它：%1</translation>
    </message>
    <message>
        <source>Slurm counts no GPU here.</source>
        <translation>Slurm 在此没有登记 GPU。</translation>
    </message>
    <message>
        <source>Slurm does not use it: %1 (%2).</source>
        <translation>Slurm 不使用它：%1（%2）。</translation>
    </message>
    <message>
        <source>Slurm does not use it: %1.</source>
        <translation>Slurm 不使用它：%1。</translation>
    </message>
    <message>
        <source>Test job</source>
        <translation>测试作业</translation>
    </message>
    <message>
        <source>The cluster has no partition &quot;%1&quot;.</source>
        <translation>集群没有分区“%1”。</translation>
    </message>
    <message>
        <source>The trial %1 has not ended.</source>
        <translation>试验 %1 尚未结束。</translation>
    </message>
    <message>
        <source>The trial has not written %1 yet.</source>
        <translation>试验尚未写入 %1。</translation>
    </message>
    <message>
        <source>The working directory cannot be used</source>
        <translation>工作目录无法使用</translation>
    </message>
    <message>
        <source>There is no trialkeeper-pod for %1 (%2): reinstall Trialdeck.</source>
        <translation>没有适用于 %1 的 trialkeeper-pod（%2）：请重新安装 Trialdeck。</translation>
    </message>
    <message>
        <source>Trials of this platform take no further parameters.</source>
        <translation>此平台的试验不接受后续参数。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no path in the shared folder %2.</source>
        <translation>“%1”不是共享文件夹 %2 中的路径。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no trial whose log is kept.</source>
        <translation>“%1”不是保留了日志的试验。</translation>
    </message>
    <message>
        <source>a job ran on a node and wrote into the folder</source>
        <translation>一个作业在节点上运行并写入了该文件夹</translation>
    </message>
    <message>
        <source>another cluster of the federation runs it</source>
        <translation>联邦中的另一个集群在运行它</translation>
    </message>
    <message>
        <source>another job took its place (preemption)</source>
        <translation>另一个作业占用了它的位置（抢占）</translation>
    </message>
    <message>
        <source>host: a login node is needed to call Slurm&apos;s commands over SSH.</source>
        <translation>host：通过 SSH 调用 Slurm 的命令需要登录节点。</translation>
    </message>
    <message>
        <source>it answers; partitions: %1</source>
        <translation>它有应答；分区数：%1</translation>
    </message>
    <message>
        <source>it reached the deadline of its job</source>
        <translation>它到达了作业的截止时间</translation>
    </message>
    <message>
        <source>it reached the time limit of its job</source>
        <translation>它达到了作业的时间限制</translation>
    </message>
    <message>
        <source>it used more memory than its job had asked for</source>
        <translation>它使用的内存超过了作业申请的量</translation>
    </message>
    <message>
        <source>it was cancelled on the cluster</source>
        <translation>它在集群上被取消</translation>
    </message>
    <message>
        <source>it was cancelled on the cluster by %1</source>
        <translation>它在集群上被 %1 取消</translation>
    </message>
    <message>
        <source>its job has left the queue of %1, and its end is not known yet</source>
        <translation>它的作业已离开 %1 的队列，结果尚不清楚</translation>
    </message>
    <message>
        <source>its job has left the queue of %1, and neither its log nor the cluster says how it ended</source>
        <translation>它的作业已离开 %1 的队列，日志和集群都没有说明它如何结束</translation>
    </message>
    <message>
        <source>its job left no word in the folder: do the nodes see it at the same path?</source>
        <translation>它的作业没有在文件夹中留下内容：各节点是否在相同路径看到它？</translation>
    </message>
    <message>
        <source>its job still waits after %1 s: %2</source>
        <translation>%1 秒后它的作业仍在等待：%2</translation>
    </message>
    <message>
        <source>its node %1 failed</source>
        <translation>它的节点 %1 发生故障</translation>
    </message>
    <message>
        <source>its node failed</source>
        <translation>它的节点发生故障</translation>
    </message>
    <message>
        <source>no node of the cluster has what it asks for</source>
        <translation>集群中没有节点具备它所要求的资源</translation>
    </message>
    <message>
        <source>workingDirectory: an absolute path is needed, not &quot;%1&quot;.</source>
        <translation>workingDirectory：需要绝对路径，而不是“%1”。</translation>
    </message>
    <message>
        <source>is %1, which only files of the v2 schema name.</source>
        <translation>是 %1，只有 v2 格式的文件才能使用它。</translation>
    </message>
    <message>
        <source>Slurm starts no jobs in it: %1.</source>
        <translation>Slurm 不在其中启动作业：%1。</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间限制</translation>
    </message>
    <message>
        <source>Address of slurmrestd</source>
        <translation>slurmrestd 的地址</translation>
    </message>
    <message>
        <source>Certificate authority</source>
        <translation>证书颁发机构</translation>
    </message>
    <message>
        <source>Check restUrl, and that slurmrestd runs there with auth/jwt; make a token with `scontrol token`.</source>
        <translation>请检查 restUrl，并确认 slurmrestd 在那里以 auth/jwt 运行；用 `scontrol token` 生成令牌。</translation>
    </message>
    <message>
        <source>File with the token</source>
        <translation>含令牌的文件</translation>
    </message>
    <message>
        <source>For example https://slurm.example.org:6820. Over plain http whoever listens gets the token.</source>
        <translation>例如 https://slurm.example.org:6820。使用普通 http 时，任何监听者都能得到令牌。</translation>
    </message>
    <message>
        <source>How Slurm is asked</source>
        <translation>访问 Slurm 的方式</translation>
    </message>
    <message>
        <source>Instead of the token: a file that something renews; it is read again when the token has expired.</source>
        <translation>代替令牌：由其他程序更新的文件；令牌过期后会重新读取。</translation>
    </message>
    <message>
        <source>PEM, where slurmrestd&apos;s certificate is not signed by one that this computer trusts.</source>
        <translation>PEM 格式；当 slurmrestd 的证书不是由本机信任的机构签发时需要。</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller does not answer slurmrestd (%1). Jobs that run are not affected; it is asked again.</source>
        <translation>Slurm 的控制器不响应 slurmrestd（%1）。运行中的作业不受影响；将再次询问。</translation>
    </message>
    <message>
        <source>The answer of slurmrestd is incomplete. It is asked again.</source>
        <translation>slurmrestd 的回答不完整。将再次询问。</translation>
    </message>
    <message>
        <source>The file %1 holds no token for slurmrestd.</source>
        <translation>文件 %1 中没有用于 slurmrestd 的令牌。</translation>
    </message>
    <message>
        <source>The token for slurmrestd cannot be read from %1 (%2).</source>
        <translation>无法从 %1 读取用于 slurmrestd 的令牌（%2）。</translation>
    </message>
    <message>
        <source>There is no slurmrestd of Slurm 22.05 to 26.05 at %1: it serves none of the versions v0.0.%2 to v0.0.%3.</source>
        <translation>%1 处没有 Slurm 22.05 至 26.05 的 slurmrestd：它不提供 v0.0.%2 至 v0.0.%3 中的任何版本。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>What `scontrol token lifespan=…` prints.</source>
        <translation>`scontrol token lifespan=…` 输出的内容。</translation>
    </message>
    <message>
        <source>Whose token it is; by default your name here.</source>
        <translation>令牌所属的用户；默认为您在本机的用户名。</translation>
    </message>
    <message>
        <source>cli calls sbatch and squeue on this computer, ssh on a login node; rest speaks to slurmrestd, and then the working directory is mounted on this computer.</source>
        <translation>cli 在本机调用 sbatch 和 squeue，ssh 在登录节点上调用；rest 与 slurmrestd 通信，此时工作目录须挂载在本机上。</translation>
    </message>
    <message>
        <source>extraArgs: slurmrestd takes no arguments of sbatch. Leave them out, or let Slurm&apos;s commands be called (transport cli or ssh).</source>
        <translation>extraArgs：slurmrestd 不接受 sbatch 的参数。请去掉它们，或改为调用 Slurm 的命令（transport 为 cli 或 ssh）。</translation>
    </message>
    <message>
        <source>restCaFile: %1 cannot be read (%2).</source>
        <translation>restCaFile：无法读取 %1（%2）。</translation>
    </message>
    <message>
        <source>restToken: slurmrestd needs a token, here or in a file (restTokenFile).</source>
        <translation>restToken：slurmrestd 需要令牌，可填在这里或放在文件中（restTokenFile）。</translation>
    </message>
    <message>
        <source>signalBeforeEnd: slurmrestd of Slurm 22.05 cannot send a signal to the trial itself. Set it to 0, or let Slurm&apos;s commands be called (transport cli or ssh).</source>
        <translation>signalBeforeEnd：Slurm 22.05 的 slurmrestd 无法向试验本身发送信号。请设为 0，或改为调用 Slurm 的命令（transport 为 cli 或 ssh）。</translation>
    </message>
    <message>
        <source>slurmrestd</source>
        <translation>slurmrestd</translation>
    </message>
    <message>
        <source>slurmrestd does not take the token (any more). Make another one with `scontrol token` and set it, or name a file that is renewed.</source>
        <translation>slurmrestd 不（再）接受该令牌。请用 `scontrol token` 生成新的令牌并填入，或指定一个会被更新的文件。</translation>
    </message>
    <message>
        <source>slurmrestd does not take the token in %1 (any more). It is read again when it is renewed.</source>
        <translation>slurmrestd 不（再）接受 %1 中的令牌。文件更新后会重新读取。</translation>
    </message>
    <message>
        <source>slurmrestd refused the request and said nothing.</source>
        <translation>slurmrestd 拒绝了请求，且未说明原因。</translation>
    </message>
    <message>
        <source>slurmrestd refused the request: %1.</source>
        <translation>slurmrestd 拒绝了请求：%1。</translation>
    </message>
    <message>
        <source>slurmrestd wants a token: `scontrol token lifespan=…` makes one.</source>
        <translation>slurmrestd 需要令牌：用 `scontrol token lifespan=…` 生成。</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1（%3 中的 %2）</translation>
    </message>
    <message>
        <source>%1 did not take it (%2)</source>
        <translation>%1没有接收它（%2）</translation>
    </message>
    <message>
        <source>%1 ended it</source>
        <translation>%1结束了它</translation>
    </message>
    <message>
        <source>%1 ended with exit code %2</source>
        <translation>%1以退出码 %2 结束</translation>
    </message>
    <message>
        <source>%1 evicted it</source>
        <translation>%1驱逐了它</translation>
    </message>
    <message>
        <source>%1 got a taint that it does not tolerate, or does not answer</source>
        <translation>%1有了它不容忍的污点，或者没有应答</translation>
    </message>
    <message>
        <source>%1 has been lost for %2</source>
        <translation>%1已失联 %2</translation>
    </message>
    <message>
        <source>%1 is lost</source>
        <translation>%1已失联</translation>
    </message>
    <message>
        <source>%1 lost its container</source>
        <translation>%1丢失了它的容器</translation>
    </message>
    <message>
        <source>%1 of %2 %3 are used, and it asks for %4</source>
        <translation>%3 已用 %1（共 %2），而它要求 %4</translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation>%1 内存</translation>
    </message>
    <message>
        <source>%1 was shut down</source>
        <translation>%1被关机</translation>
    </message>
    <message>
        <source>A limit range of its namespace refuses what it asks for: %1. Change that, or have the limit changed.</source>
        <translation>其命名空间的 LimitRange 拒绝它所要求的资源：%1。请修改要求，或请人修改限制。</translation>
    </message>
    <message>
        <source>A rule of the cluster (%1) refuses its pod: %2.</source>
        <translation>集群的一条规则（%1）拒绝其 Pod：%2。</translation>
    </message>
    <message>
        <source>A scheduling gate holds its pod: another program of the cluster (such as a queue) must open it first.</source>
        <translation>调度门（scheduling gate）拦住了其 Pod：须由集群的另一个程序（例如队列）先放行。</translation>
    </message>
    <message>
        <source>An administrator has closed the node (cordoned): nothing new starts on it.</source>
        <translation>管理员已封锁该节点（cordon）：不会在其上启动新的任务。</translation>
    </message>
    <message>
        <source>It asks for more than the quota %1 of its namespace has at all: %2. Ask for less, or have the quota raised.</source>
        <translation>它要求的超过了其命名空间配额 %1 的总量：%2。请减少要求，或请人提高配额。</translation>
    </message>
    <message>
        <source>It does not start before its settings or the nodes change.</source>
        <translation>在其设置或节点改变之前，它不会启动。</translation>
    </message>
    <message>
        <source>It starts when enough becomes free; if no node is so large, ask for less.</source>
        <translation>等到有足够的空闲时它会启动；若没有这么大的节点，请减少要求。</translation>
    </message>
    <message>
        <source>It starts when such a node is well again.</source>
        <translation>等到这样的节点恢复正常时它会启动。</translation>
    </message>
    <message>
        <source>It waits in the queue %1 (Kueue), which starts it when there is room.</source>
        <translation>它在队列 %1（Kueue）中等待，有空位时由队列启动。</translation>
    </message>
    <message>
        <source>Its Job is suspended. It starts when somebody resumes it.</source>
        <translation>其 Job 已挂起。有人恢复它时才会启动。</translation>
    </message>
    <message>
        <source>Its init container %1 runs before it.</source>
        <translation>其初始化容器 %1 正在它之前运行。</translation>
    </message>
    <message>
        <source>Its namespace is being deleted. Choose another one in the settings.</source>
        <translation>其命名空间正在被删除。请在设置中选择另一个。</translation>
    </message>
    <message>
        <source>Its node %1 downloads an image.</source>
        <translation>其节点 %1 正在下载镜像。</translation>
    </message>
    <message>
        <source>Its node %1 downloads the image %2.</source>
        <translation>其节点 %1 正在下载镜像 %2。</translation>
    </message>
    <message>
        <source>Its node %1 prepares it.</source>
        <translation>其节点 %1 正在准备它。</translation>
    </message>
    <message>
        <source>Its node cannot make the pod&apos;s network and namespaces: %1. It is tried again.</source>
        <translation>其节点无法建立该 Pod 的网络和命名空间：%1。会再次尝试。</translation>
    </message>
    <message>
        <source>Its node cannot mount a volume of it: %1. It is tried again.</source>
        <translation>其节点无法挂载它的一个卷：%1。会再次尝试。</translation>
    </message>
    <message>
        <source>Its node cannot read the image %1 (%2).</source>
        <translation>其节点无法读取镜像 %1（%2）。</translation>
    </message>
    <message>
        <source>Its node cannot start %1: %2.</source>
        <translation>其节点无法启动%1：%2。</translation>
    </message>
    <message>
        <source>Its node does not have the image %1 and may not download it (imagePullPolicy: Never).</source>
        <translation>其节点没有镜像 %1，并且不允许下载它（imagePullPolicy: Never）。</translation>
    </message>
    <message>
        <source>Its node lets %1 wait: %2.</source>
        <translation>其节点让%1等待：%2。</translation>
    </message>
    <message>
        <source>Its node starts %1 again and again, and each time it uses more memory than it may (OOMKilled).</source>
        <translation>其节点反复启动%1，而它每次都使用超过允许量的内存（OOMKilled）。</translation>
    </message>
    <message>
        <source>Its node starts %1 again and again, and it ends each time.</source>
        <translation>其节点反复启动%1，而它每次都结束。</translation>
    </message>
    <message>
        <source>None of the %1 nodes can take it: %2.</source>
        <translation>%1 个节点都无法接收它：%2。</translation>
    </message>
    <message>
        <source>Only what tolerates its taints starts on it: %1.</source>
        <translation>只有容忍其污点的任务才能在其上启动：%1。</translation>
    </message>
    <message>
        <source>The %1 %2 has no entry %3. Add it, or correct the settings.</source>
        <translation>%1 %2 中没有条目 %3。请添加它，或更正设置。</translation>
    </message>
    <message>
        <source>The cluster asks a webhook (%1) before it makes a pod, and that one does not answer. It is tried again.</source>
        <translation>集群在创建 Pod 之前会询问一个 webhook（%1），而它没有应答。会再次尝试。</translation>
    </message>
    <message>
        <source>The cluster has no node that could take it.</source>
        <translation>集群没有可以接收它的节点。</translation>
    </message>
    <message>
        <source>The cluster has no priority class %1. Choose another one in the settings.</source>
        <translation>集群没有优先级类 %1。请在设置中选择另一个。</translation>
    </message>
    <message>
        <source>The cluster has no runtime class %1. Choose another one in the settings.</source>
        <translation>集群没有运行时类 %1。请在设置中选择另一个。</translation>
    </message>
    <message>
        <source>The cluster has not made its pod yet.</source>
        <translation>集群尚未创建其 Pod。</translation>
    </message>
    <message>
        <source>The cluster refuses to make its pod, and gives no reason.</source>
        <translation>集群拒绝创建其 Pod，并且没有给出原因。</translation>
    </message>
    <message>
        <source>The cluster refuses to make its pod: %1.</source>
        <translation>集群拒绝创建其 Pod：%1。</translation>
    </message>
    <message>
        <source>The disk of its node is full, so the image %1 cannot be stored.</source>
        <translation>其节点的磁盘已满，因此无法存放镜像 %1。</translation>
    </message>
    <message>
        <source>The image %1 cannot be downloaded. It is tried again.</source>
        <translation>无法下载镜像 %1。会再次尝试。</translation>
    </message>
    <message>
        <source>The image %1 is not there for the processor of its node. Choose another image, or other nodes.</source>
        <translation>镜像 %1 没有适用于其节点处理器的版本。请选择其他镜像或其他节点。</translation>
    </message>
    <message>
        <source>The namespace has no ConfigMap %1. Create it, or correct the settings.</source>
        <translation>命名空间中没有 ConfigMap %1。请创建它，或更正设置。</translation>
    </message>
    <message>
        <source>The namespace has no PersistentVolumeClaim %1. Create it, or correct the volume in the settings.</source>
        <translation>命名空间中没有 PersistentVolumeClaim %1。请创建它，或更正设置中的卷。</translation>
    </message>
    <message>
        <source>The namespace has no secret %1. Create it, or correct the settings.</source>
        <translation>命名空间中没有 Secret %1。请创建它，或更正设置。</translation>
    </message>
    <message>
        <source>The namespace has no service account %1. Create it, or choose another one in the settings.</source>
        <translation>命名空间中没有服务账户 %1。请创建它，或在设置中选择另一个。</translation>
    </message>
    <message>
        <source>The network of its node is not ready. It starts when it is.</source>
        <translation>其节点的网络尚未就绪。就绪后它会启动。</translation>
    </message>
    <message>
        <source>The node does not trust the registry of the image %1. An administrator must set the registry&apos;s certificate.</source>
        <translation>节点不信任镜像 %1 所在的仓库。须由管理员设置该仓库的证书。</translation>
    </message>
    <message>
        <source>The node has been silent for %1.</source>
        <translation>该节点已有 %1 没有消息。</translation>
    </message>
    <message>
        <source>The node has no %1.</source>
        <translation>该节点没有 %1。</translation>
    </message>
    <message>
        <source>The node is not ready.</source>
        <translation>该节点未就绪。</translation>
    </message>
    <message>
        <source>The node is not ready: %1.</source>
        <translation>该节点未就绪：%1。</translation>
    </message>
    <message>
        <source>The node is silent.</source>
        <translation>该节点没有消息。</translation>
    </message>
    <message>
        <source>The only node cannot take it: %1.</source>
        <translation>唯一的节点无法接收它：%1。</translation>
    </message>
    <message>
        <source>The pod security level &quot;%1&quot; of its namespace refuses its pod: %2. Use another namespace, or settings that the level allows.</source>
        <translation>其命名空间的 Pod 安全级别“%1”拒绝其 Pod：%2。请使用其他命名空间，或该级别允许的设置。</translation>
    </message>
    <message>
        <source>The quota %1 of its namespace demands that each container says %2. Set it in the settings.</source>
        <translation>其命名空间的配额 %1 要求每个容器都写明 %2。请在设置中填写。</translation>
    </message>
    <message>
        <source>The quota %1 of its namespace is used up: %2. It starts when others end.</source>
        <translation>其命名空间的配额 %1 已用完：%2。等到其他任务结束时它会启动。</translation>
    </message>
    <message>
        <source>The registry does not let the cluster have the image %1. Set an image pull secret that may.</source>
        <translation>仓库不允许集群取得镜像 %1。请设置有权限的镜像拉取 Secret。</translation>
    </message>
    <message>
        <source>The registry has no image %1, or shows it only to who has signed in. Correct the image, or set an image pull secret.</source>
        <translation>仓库中没有镜像 %1，或者只对已登录者可见。请更正镜像，或设置镜像拉取 Secret。</translation>
    </message>
    <message>
        <source>The registry has no image %1. Correct its name or its tag.</source>
        <translation>仓库中没有镜像 %1。请更正其名称或标签。</translation>
    </message>
    <message>
        <source>The registry limits how often images are downloaded, and does not give %1 now. It is tried again.</source>
        <translation>仓库限制镜像的下载次数，现在不提供 %1。会再次尝试。</translation>
    </message>
    <message>
        <source>The registry of the image %1 does not answer its node. It is tried again; if it stays so, look at the registry&apos;s name and the network.</source>
        <translation>镜像 %1 所在的仓库没有应答其节点。会再次尝试；若一直如此，请检查仓库的名称和网络。</translation>
    </message>
    <message>
        <source>The scheduler has found no node for it yet.</source>
        <translation>调度器尚未为它找到节点。</translation>
    </message>
    <message>
        <source>The scheduler has no node for it: %1.</source>
        <translation>调度器没有适合它的节点：%1。</translation>
    </message>
    <message>
        <source>The scheduler looks for a node for it.</source>
        <translation>调度器正在为它寻找节点。</translation>
    </message>
    <message>
        <source>The settings of %1 cannot be applied: %2.</source>
        <translation>无法应用 %1 的设置：%2。</translation>
    </message>
    <message>
        <source>The signature of the image %1 is not accepted (%2).</source>
        <translation>镜像 %1 的签名未被接受（%2）。</translation>
    </message>
    <message>
        <source>Used up: %1.</source>
        <translation>已用完：%1。</translation>
    </message>
    <message>
        <source>&quot;%1&quot;</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of an image. Correct it in the settings.</source>
        <translation>“%1”不是镜像的名称。请在设置中更正。</translation>
    </message>
    <message>
        <source>a pod of a higher priority took its place (preemption)</source>
        <translation>优先级更高的 Pod 占用了它的位置（抢占）</translation>
    </message>
    <message>
        <source>a taint that it does not tolerate</source>
        <translation>有它不容忍的污点</translation>
    </message>
    <message>
        <source>a taint that it does not tolerate (%1)</source>
        <translation>有它不容忍的污点（%1）</translation>
    </message>
    <message>
        <source>another label than its node selector or affinity asks for</source>
        <translation>标签不符合其节点选择器或亲和性</translation>
    </message>
    <message>
        <source>as many pods as it may have</source>
        <translation>Pod 数量已达上限</translation>
    </message>
    <message>
        <source>closed by an administrator (cordoned)</source>
        <translation>已被管理员封锁（cordon）</translation>
    </message>
    <message>
        <source>exit code %1: %2</source>
        <translation>退出码 %1：%2</translation>
    </message>
    <message>
        <source>it reached the time limit of its Job</source>
        <translation>它达到了其 Job 的时间限制</translation>
    </message>
    <message>
        <source>it reached the time limit of its Job, %1</source>
        <translation>它达到了其 Job 的时间限制 %1</translation>
    </message>
    <message>
        <source>it used more memory than it may (OOMKilled)</source>
        <translation>它使用的内存超过了允许的量（OOMKilled）</translation>
    </message>
    <message>
        <source>it used more memory than its limit of %1 (OOMKilled)</source>
        <translation>它使用的内存超过了 %1 的限制（OOMKilled）</translation>
    </message>
    <message>
        <source>it was evicted: somebody or something empties %1</source>
        <translation>它被驱逐：有人或程序在清空%1</translation>
    </message>
    <message>
        <source>its Job failed on the cluster (%1), and its pod is gone</source>
        <translation>其 Job 在集群上失败（%1），其 Pod 已不存在</translation>
    </message>
    <message>
        <source>its Job failed on the cluster, and its pod is gone</source>
        <translation>其 Job 在集群上失败，其 Pod 已不存在</translation>
    </message>
    <message>
        <source>its Job was deleted on the cluster</source>
        <translation>其 Job 在集群上被删除</translation>
    </message>
    <message>
        <source>its PersistentVolumeClaim has no volume</source>
        <translation>其 PersistentVolumeClaim 没有卷</translation>
    </message>
    <message>
        <source>its container</source>
        <translation>其容器</translation>
    </message>
    <message>
        <source>its container %1</source>
        <translation>其容器 %1</translation>
    </message>
    <message>
        <source>its container %1 used more memory than it may (OOMKilled)</source>
        <translation>其容器 %1 使用的内存超过了允许的量（OOMKilled）</translation>
    </message>
    <message>
        <source>its container could not be started</source>
        <translation>其容器无法启动</translation>
    </message>
    <message>
        <source>its image has no command %1</source>
        <translation>其镜像中没有命令 %1</translation>
    </message>
    <message>
        <source>its init container %1</source>
        <translation>其初始化容器 %1</translation>
    </message>
    <message>
        <source>its node</source>
        <translation>其节点</translation>
    </message>
    <message>
        <source>its node %1</source>
        <translation>其节点 %1</translation>
    </message>
    <message>
        <source>its pod failed</source>
        <translation>其 Pod 失败</translation>
    </message>
    <message>
        <source>its pod failed (%1)</source>
        <translation>其 Pod 失败（%1）</translation>
    </message>
    <message>
        <source>its pod was deleted on the cluster</source>
        <translation>其 Pod 在集群上被删除</translation>
    </message>
    <message>
        <source>its port in use</source>
        <translation>其端口已被占用</translation>
    </message>
    <message>
        <source>its topology spread constraints</source>
        <translation>不满足其拓扑分布约束</translation>
    </message>
    <message>
        <source>its volume is in another place</source>
        <translation>其卷位于别处</translation>
    </message>
    <message>
        <source>killed by signal %1: %2</source>
        <translation>被信号 %1 终止：%2</translation>
    </message>
    <message>
        <source>less than %1 free</source>
        <translation>空闲不足 %1</translation>
    </message>
    <message>
        <source>no pod there that it must stand beside (pod affinity)</source>
        <translation>没有它必须与之同处的 Pod（Pod 亲和性）</translation>
    </message>
    <message>
        <source>no volume for its PersistentVolumeClaim</source>
        <translation>没有可供其 PersistentVolumeClaim 使用的卷</translation>
    </message>
    <message>
        <source>not ready</source>
        <translation>未就绪</translation>
    </message>
    <message>
        <source>other pods there that it must not stand beside (pod anti-affinity)</source>
        <translation>有它不得与之同处的 Pod（Pod 反亲和性）</translation>
    </message>
    <message>
        <source>short of disk space</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>short of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>short of process ids</source>
        <translation>进程号不足</translation>
    </message>
    <message>
        <source>still being set up</source>
        <translation>仍在初始化</translation>
    </message>
    <message>
        <source>the cluster ended it (%1)</source>
        <translation>集群结束了它（%1）</translation>
    </message>
    <message>
        <source>the command %1 of its image may not be executed</source>
        <translation>其镜像的命令 %1 不可执行</translation>
    </message>
    <message>
        <source>too little %1 free</source>
        <translation>空闲的 %1 不足</translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>without network</source>
        <translation>没有网络</translation>
    </message>
    <message>
        <source>%1 ended, and the cluster does not say how</source>
        <translation>%1已结束，集群没有说明如何结束</translation>
    </message>
    <message>
        <source>%1 of ephemeral storage</source>
        <translation>%1 临时存储</translation>
    </message>
    <message>
        <source>%1 on %2 of them</source>
        <translation>%1（其中 %2 个）</translation>
    </message>
    <message>
        <source>%1 could not answer in time (%2).</source>
        <translation>%1 未能及时应答 (%2)。</translation>
    </message>
    <message>
        <source>%1 did not see any credentials (403, system:anonymous). Check the user of the context: its token or certificate is missing, or belongs to another cluster.</source>
        <translation>%1 没有收到任何凭据 (403, system:anonymous)。请检查该上下文的用户：令牌或证书缺失，或者属于另一个集群。</translation>
    </message>
    <message>
        <source>%1 does not accept the credentials of the kubeconfig (401). Log in to the cluster again, or choose another context.</source>
        <translation>%1 不接受 kubeconfig 中的凭据 (401)。请重新登录该集群，或选择另一个上下文。</translation>
    </message>
    <message>
        <source>%1 does not accept the object (%2): %3, and %4 more.</source>
        <translation>%1 不接受该对象 (%2)：%3，另有 %4 处。</translation>
    </message>
    <message>
        <source>%1 does not accept the object (%2): %3.</source>
        <translation>%1 不接受该对象 (%2)：%3。</translation>
    </message>
    <message>
        <source>%1 does not accept the request (%2).</source>
        <translation>%1 不接受该请求 (%2)。</translation>
    </message>
    <message>
        <source>%1 does not know this kind of object (404). Is the operator installed in the cluster, and is the server&apos;s address right?</source>
        <translation>%1 不认识这种对象 (404)。集群中是否安装了相应的 operator？服务器地址是否正确？</translation>
    </message>
    <message>
        <source>%1 does not know yet what was read from another server of the cluster (%2).</source>
        <translation>%1 尚不知道从该集群另一台服务器读到的内容 (%2)。</translation>
    </message>
    <message>
        <source>%1 does not permit this (403). Ask who administers the cluster for the right.</source>
        <translation>%1 不允许此操作 (403)。请向集群管理员申请权限。</translation>
    </message>
    <message>
        <source>%1 does not take an object of this size (413).</source>
        <translation>%1 不接受这么大的对象 (413)。</translation>
    </message>
    <message>
        <source>%1 failed (%2).</source>
        <translation>%1 出错 (%2)。</translation>
    </message>
    <message>
        <source>%1 has %2 &quot;%3&quot; already (409).</source>
        <translation>%1 已有 %2“%3”(409)。</translation>
    </message>
    <message>
        <source>%1 has no %2 &quot;%3&quot; (404).</source>
        <translation>%1 没有 %2“%3”(404)。</translation>
    </message>
    <message>
        <source>%1 has no such object (404).</source>
        <translation>%1 没有这样的对象 (404)。</translation>
    </message>
    <message>
        <source>%1 has too many requests at the moment (429). It is asked again later.</source>
        <translation>%1 目前请求过多 (429)，稍后会再次请求。</translation>
    </message>
    <message>
        <source>%1 is not available at the moment (503). It is asked again later.</source>
        <translation>%1 目前不可用 (503)，稍后会再次请求。</translation>
    </message>
    <message>
        <source>%1 redirects the request (%2), which is not followed. Is the server&apos;s address right?</source>
        <translation>%1 将请求重定向 (%2)，此处不会跟随。服务器地址是否正确？</translation>
    </message>
    <message>
        <source>A line of the watch is damaged, so it is begun again.</source>
        <translation>监视流中有一行已损坏，因此重新开始监视。</translation>
    </message>
    <message>
        <source>A quota of the namespace is used up (403). It is tried again; free something in the namespace, or ask for a larger quota.</source>
        <translation>命名空间的配额已用完 (403)，会再次尝试。请释放该命名空间中的资源，或申请更大的配额。</translation>
    </message>
    <message>
        <source>A selector without a label would select everything.</source>
        <translation>没有标签的选择器会选中所有对象。</translation>
    </message>
    <message>
        <source>It says: %1.</source>
        <translation>它说：%1。</translation>
    </message>
    <message>
        <source>The API server</source>
        <translation>API 服务器</translation>
    </message>
    <message>
        <source>The account %1 may not %2 %3 in the namespace %4 (403). Ask who administers the cluster for the right, or choose another namespace.</source>
        <translation>帐户 %1 无权在命名空间 %4 中 %2 %3 (403)。请向集群管理员申请权限，或选择另一个命名空间。</translation>
    </message>
    <message>
        <source>The account %1 may not %2 %3 in the whole cluster (403). Ask who administers the cluster for the right.</source>
        <translation>帐户 %1 无权在整个集群中 %2 %3 (403)。请向集群管理员申请权限。</translation>
    </message>
    <message>
        <source>The list of the API server is damaged: it is no valid JSON.</source>
        <translation>API 服务器的列表已损坏：不是有效的 JSON。</translation>
    </message>
    <message>
        <source>The object was changed or replaced in between (409).</source>
        <translation>该对象在此期间已被更改或替换 (409)。</translation>
    </message>
    <message>
        <source>What answers there is no API server of Kubernetes: it sent no list. Check the server&apos;s address.</source>
        <translation>那里应答的不是 Kubernetes 的 API 服务器：它没有发送列表。请检查服务器地址。</translation>
    </message>
    <message>
        <source>What was read of the cluster is too old to go on from (410), so it is read anew.</source>
        <translation>已读取的集群内容过旧，无法继续 (410)，因此重新读取。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no label that Kubernetes takes: at most 63 letters, digits, dashes, underscores and dots.</source>
        <translation>“%1”不是 Kubernetes 接受的标签：最多 63 个字母、数字、连字符、下划线和点。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name that Kubernetes takes: lower-case letters, digits and dashes, at both ends a letter or a digit.</source>
        <translation>“%1”不是 Kubernetes 接受的名称：只能是小写字母、数字和连字符，两端须为字母或数字。</translation>
    </message>
    <message>
        <source>%1 is a folder, not a file.</source>
        <translation>%1 是文件夹，不是文件。</translation>
    </message>
    <message>
        <source>%1 is no kubeconfig: %2</source>
        <translation>%1 不是 kubeconfig：%2</translation>
    </message>
    <message>
        <source>%1 is no ordinary file.</source>
        <translation>%1 不是普通文件。</translation>
    </message>
    <message>
        <source>%1 names no context. Get a kubeconfig as the cluster&apos;s documentation says.</source>
        <translation>%1 没有指定任何上下文。请按集群文档的说明获取 kubeconfig。</translation>
    </message>
    <message>
        <source>%1 names no current context. Choose one in the settings: %2.</source>
        <translation>%1 没有指定当前上下文。请在设置中选择一个：%2。</translation>
    </message>
    <message>
        <source>%1 names no current context: the only one there, &quot;%2&quot;, is used.</source>
        <translation>%1 没有指定当前上下文：使用其中唯一的上下文“%2”。</translation>
    </message>
    <message>
        <source>%1 of %2 is given twice, in the kubeconfig and as a file: the one in the kubeconfig is used.</source>
        <translation>%2 的 %1 给出了两次，分别在 kubeconfig 中和作为文件：使用 kubeconfig 中的。</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%2 的 %1：%3</translation>
    </message>
    <message>
        <source>%1, line %2: &quot;%3&quot; %4</source>
        <translation>%1 第 %2 行：“%3”%4</translation>
    </message>
    <message>
        <source>%1-data of %2 is damaged: it is no base64.</source>
        <translation>%2 的 %1-data 已损坏：不是 base64。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; %3</source>
        <translation>%1：“%2”%3</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>它是空的。</translation>
    </message>
    <message>
        <source>It must hold names and values at its top.</source>
        <translation>它的顶层必须由名称和值组成。</translation>
    </message>
    <message>
        <source>It names no cluster. Add one, or choose another context.</source>
        <translation>它没有指定集群。请补上，或选择另一个上下文。</translation>
    </message>
    <message>
        <source>It names no clusters, users or contexts.</source>
        <translation>它没有指定集群、用户或上下文。</translation>
    </message>
    <message>
        <source>Its cluster &quot;%1&quot; names an authority and says insecure-skip-tls-verify, which contradict each other. Remove the latter.</source>
        <translation>它的集群“%1”既指定了证书颁发机构，又设置了 insecure-skip-tls-verify，二者矛盾。请删除后者。</translation>
    </message>
    <message>
        <source>Its cluster &quot;%1&quot; names no server.</source>
        <translation>它的集群“%1”没有指定服务器。</translation>
    </message>
    <message>
        <source>Its kind is &quot;%1&quot;, not Config.</source>
        <translation>它的 kind 是“%1”，不是 Config。</translation>
    </message>
    <message>
        <source>Its version is &quot;%1&quot;; only v1 is known.</source>
        <translation>它的版本是“%1”；只支持 v1。</translation>
    </message>
    <message>
        <source>The certificate of the cluster &quot;%1&quot; is not checked (insecure-skip-tls-verify), so anyone on the way can read the credentials. Give its certificate-authority instead.</source>
        <translation>不检查集群“%1”的证书 (insecure-skip-tls-verify)，因此途中任何人都能读到凭据。请改为提供它的 certificate-authority。</translation>
    </message>
    <message>
        <source>The certificate-authority of the cluster &quot;%1&quot; is no certificate: it must be PEM text.</source>
        <translation>集群“%1”的 certificate-authority 不是证书：必须是 PEM 文本。</translation>
    </message>
    <message>
        <source>The client certificate of the user &quot;%1&quot; expired on %2. Get a new kubeconfig of the cluster.</source>
        <translation>用户“%1”的客户端证书已于 %2 过期。请获取该集群新的 kubeconfig。</translation>
    </message>
    <message>
        <source>The client-certificate of the user &quot;%1&quot; is no certificate: it must be PEM text.</source>
        <translation>用户“%1”的 client-certificate 不是证书：必须是 PEM 文本。</translation>
    </message>
    <message>
        <source>The client-key of the user &quot;%1&quot; is no key of RSA or EC: it must be PEM text.</source>
        <translation>用户“%1”的 client-key 不是 RSA 或 EC 密钥：必须是 PEM 文本。</translation>
    </message>
    <message>
        <source>The client-key of the user &quot;%1&quot; is protected by a passphrase. Put the key there without one.</source>
        <translation>用户“%1”的 client-key 受密码短语保护。请改用没有密码短语的密钥。</translation>
    </message>
    <message>
        <source>The cluster does not accept the credentials of the kubeconfig (401). Log in to the cluster again, or choose another context.</source>
        <translation>集群不接受 kubeconfig 中的凭据 (401)。请重新登录该集群，或选择另一个上下文。</translation>
    </message>
    <message>
        <source>The cluster does not accept the token in %1 (401), and there is no newer one yet. It is read again with the next request.</source>
        <translation>集群不接受 %1 中的令牌 (401)，目前也没有更新的令牌。下次请求时会重新读取。</translation>
    </message>
    <message>
        <source>The cluster does not accept what the program %1 gives (401), and it gave the same again. Log in with it anew.</source>
        <translation>集群不接受程序 %1 给出的凭据 (401)，而它再次给出了相同的凭据。请用它重新登录。</translation>
    </message>
    <message>
        <source>The context &quot;%1&quot; names no user, so no credentials are sent.</source>
        <translation>上下文“%1”没有指定用户，因此不发送凭据。</translation>
    </message>
    <message>
        <source>The context &quot;%1&quot; of %2 cannot be used</source>
        <translation>%2 的上下文“%1”无法使用</translation>
    </message>
    <message>
        <source>The context &quot;%1&quot; of %2: %3</source>
        <translation>%2 的上下文“%1”：%3</translation>
    </message>
    <message>
        <source>The exec plugin of the user &quot;%1&quot; asks a person at a terminal (interactiveMode Always), and there is none here. Use a plugin that keeps its login, or a token.</source>
        <translation>用户“%1”的 exec 插件需要有人在终端上应答 (interactiveMode Always)，而这里没有终端。请使用会保留登录状态的插件，或使用令牌。</translation>
    </message>
    <message>
        <source>The exec plugin of the user &quot;%1&quot; must say its apiVersion: client.authentication.k8s.io/v1 or …/v1beta1.</source>
        <translation>用户“%1”的 exec 插件必须写明 apiVersion：client.authentication.k8s.io/v1 或 …/v1beta1。</translation>
    </message>
    <message>
        <source>The exec plugin of the user &quot;%1&quot; names no command.</source>
        <translation>用户“%1”的 exec 插件没有指定命令。</translation>
    </message>
    <message>
        <source>The exec plugin of the user &quot;%1&quot; sets &quot;%2&quot;, which is no name of a variable.</source>
        <translation>用户“%1”的 exec 插件设置了“%2”，这不是变量名。</translation>
    </message>
    <message>
        <source>The exec plugin of the user &quot;%1&quot; speaks v1alpha1, which Kubernetes has given up. Update the plugin, and write the kubeconfig anew with its own command.</source>
        <translation>用户“%1”的 exec 插件使用 v1alpha1，Kubernetes 已弃用该版本。请更新插件，并用它自己的命令重新生成 kubeconfig。</translation>
    </message>
    <message>
        <source>The file %1 cannot be read: %2</source>
        <translation>无法读取文件 %1：%2</translation>
    </message>
    <message>
        <source>The file %1 is larger than 1 MiB, more than is read.</source>
        <translation>文件 %1 大于 1 MiB，超出读取上限。</translation>
    </message>
    <message>
        <source>The file %1 is not there.</source>
        <translation>文件 %1 不存在。</translation>
    </message>
    <message>
        <source>The file of the token, %1, holds something else than a token.</source>
        <translation>令牌文件 %1 中的内容不是令牌。</translation>
    </message>
    <message>
        <source>The file of the token, %1, is empty.</source>
        <translation>令牌文件 %1 是空的。</translation>
    </message>
    <message>
        <source>The interactiveMode of the exec plugin of the user &quot;%1&quot; must be Never, IfAvailable or Always.</source>
        <translation>用户“%1”的 exec 插件的 interactiveMode 必须是 Never、IfAvailable 或 Always。</translation>
    </message>
    <message>
        <source>The kubeconfig cannot be used</source>
        <translation>无法使用该 kubeconfig</translation>
    </message>
    <message>
        <source>The kubeconfig says: %1</source>
        <translation>kubeconfig 中说明：%1</translation>
    </message>
    <message>
        <source>The namespace &quot;%1&quot; is none that Kubernetes takes: lower-case letters, digits and dashes.</source>
        <translation>“%1”不是 Kubernetes 接受的命名空间：只能是小写字母、数字和连字符。</translation>
    </message>
    <message>
        <source>The path of the kubeconfig, %1, must be absolute, or begin with ~/.</source>
        <translation>kubeconfig 的路径 %1 必须是绝对路径，或以 ~/ 开头。</translation>
    </message>
    <message>
        <source>The plugin that gives the cluster&apos;s credentials answered, but %1 Run it by hand to see what it prints.</source>
        <translation>提供集群凭据的插件已应答，但%1请手动运行它，查看它的输出。</translation>
    </message>
    <message>
        <source>The program %1 gave credentials of the cluster that have expired already. Log in with it again.</source>
        <translation>程序 %1 给出的集群凭据已经过期。请用它重新登录。</translation>
    </message>
    <message>
        <source>The program %1, which gives the cluster&apos;s credentials, cannot be executed.</source>
        <translation>无法执行提供集群凭据的程序 %1。</translation>
    </message>
    <message>
        <source>The program %1, which gives the cluster&apos;s credentials, did not end in time. Run it by hand: it may want a login.</source>
        <translation>提供集群凭据的程序 %1 未按时结束。请手动运行它：它可能需要登录。</translation>
    </message>
    <message>
        <source>The program %1, which gives the cluster&apos;s credentials, failed (exit code %2) and said nothing.</source>
        <translation>提供集群凭据的程序 %1 失败 (退出码 %2)，没有任何输出。</translation>
    </message>
    <message>
        <source>The program %1, which gives the cluster&apos;s credentials, failed (exit code %2): %3</source>
        <translation>提供集群凭据的程序 %1 失败 (退出码 %2)：%3</translation>
    </message>
    <message>
        <source>The program %1, which gives the cluster&apos;s credentials, is not there. Install it, or give its path in the kubeconfig.</source>
        <translation>提供集群凭据的程序 %1 不存在。请安装它，或在 kubeconfig 中写明它的路径。</translation>
    </message>
    <message>
        <source>The program %1, which gives the cluster&apos;s credentials, printed more than any credentials.</source>
        <translation>提供集群凭据的程序 %1 的输出过多，不可能是凭据。</translation>
    </message>
    <message>
        <source>The proxy %1 is to be spoken to with TLS, which is not supported. Use one with http:// or socks5://.</source>
        <translation>代理服务器 %1 要求使用 TLS，目前不支持。请使用 http:// 或 socks5:// 的代理。</translation>
    </message>
    <message>
        <source>The server of its cluster &quot;%1&quot; holds a password in its address. Put it into the entry of the user.</source>
        <translation>它的集群“%1”的服务器地址中含有密码。请把密码放到用户条目中。</translation>
    </message>
    <message>
        <source>The server of its cluster &quot;%1&quot; is no address that begins with https:// or http://.</source>
        <translation>它的集群“%1”的服务器不是以 https:// 或 http:// 开头的地址。</translation>
    </message>
    <message>
        <source>The server of the cluster &quot;%1&quot; is reached without TLS, so no credentials are sent.</source>
        <translation>访问集群“%1”的服务器时不使用 TLS，因此不发送凭据。</translation>
    </message>
    <message>
        <source>The token of the kubeconfig cannot be read: %1</source>
        <translation>无法读取 kubeconfig 的令牌：%1</translation>
    </message>
    <message>
        <source>The token of the user &quot;%1&quot; holds characters that none has. Copy it again.</source>
        <translation>用户“%1”的令牌含有令牌中不会出现的字符。请重新复制。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; acts for another one (%2) with characters that cannot be sent.</source>
        <translation>用户“%1”代表他人 (%2) 的设置中含有无法发送的字符。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has a client certificate, but no client-key.</source>
        <translation>用户“%1”有客户端证书，但没有 client-key。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has a client key, but no client-certificate.</source>
        <translation>用户“%1”有客户端密钥，但没有 client-certificate。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has a password, but no username.</source>
        <translation>用户“%1”有密码，但没有用户名。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has a token and a password, of which only one can be sent. Remove the other.</source>
        <translation>用户“%1”同时有令牌和密码，只能发送其中一个。请删除另一个。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has an exec plugin and an auth-provider, of which only one can be used. Remove the other.</source>
        <translation>用户“%1”同时有 exec 插件和 auth-provider，只能使用其中一个。请删除另一个。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has as-uid, as-groups or as-user-extra, but no `as` that says for whom it acts.</source>
        <translation>用户“%1”有 as-uid、as-groups 或 as-user-extra，但没有说明代表谁的 `as`。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has its credentials from the program %2, which the settings do not allow. Allow it there, or choose another context.</source>
        <translation>用户“%1”的凭据来自程序 %2，而设置不允许运行它。请在设置中允许，或选择另一个上下文。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has no credentials, so none are sent.</source>
        <translation>用户“%1”没有凭据，因此不发送凭据。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; logs in with the auth-provider &quot;%2&quot;, which is not known here. Use a token, a client certificate or an exec plugin.</source>
        <translation>用户“%1”通过 auth-provider“%2”登录，此处不支持。请使用令牌、客户端证书或 exec 插件。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; logs in with the auth-provider azure, which Kubernetes has given up. Install kubelogin, and convert the kubeconfig with `kubelogin convert-kubeconfig`.</source>
        <translation>用户“%1”通过 auth-provider azure 登录，Kubernetes 已弃用它。请安装 kubelogin，并用 `kubelogin convert-kubeconfig` 转换 kubeconfig。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; logs in with the auth-provider gcp, which Kubernetes has given up. Install gke-gcloud-auth-plugin, and write the kubeconfig anew with `gcloud container clusters get-credentials`.</source>
        <translation>用户“%1”通过 auth-provider gcp 登录，Kubernetes 已弃用它。请安装 gke-gcloud-auth-plugin，并用 `gcloud container clusters get-credentials` 重新生成 kubeconfig。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; logs in with the auth-provider oidc and holds no id-token. Log in with kubectl first; better, use the exec plugin kubelogin (kubectl oidc-login).</source>
        <translation>用户“%1”通过 auth-provider oidc 登录，但没有 id-token。请先用 kubectl 登录；最好改用 exec 插件 kubelogin（kubectl oidc-login）。</translation>
    </message>
    <message>
        <source>The username of the user &quot;%1&quot; holds a colon, which none can.</source>
        <translation>用户“%1”的用户名含有冒号，这是不允许的。</translation>
    </message>
    <message>
        <source>There is no cluster &quot;%1&quot;, which it names.</source>
        <translation>它指定的集群“%1”不存在。</translation>
    </message>
    <message>
        <source>There is no context &quot;%1&quot; in %2. Choose one of these: %3.</source>
        <translation>%2 中没有上下文“%1”。请从以下选择一个：%3。</translation>
    </message>
    <message>
        <source>There is no kubeconfig: %1 is not there. Get one as the cluster&apos;s documentation says, or name its file in the settings.</source>
        <translation>没有 kubeconfig：%1 不存在。请按集群文档的说明获取，或在设置中指定它的文件。</translation>
    </message>
    <message>
        <source>There is no user &quot;%1&quot;, which it names.</source>
        <translation>它指定的用户“%1”不存在。</translation>
    </message>
    <message>
        <source>in another version than the kubeconfig&apos;s %1: correct apiVersion there.</source>
        <translation>版本与 kubeconfig 中的 %1 不同：请更正其中的 apiVersion。</translation>
    </message>
    <message>
        <source>is given twice: &quot;%1&quot;.</source>
        <translation>给出了两次：“%1”。</translation>
    </message>
    <message>
        <source>it gave a client certificate without its key, or a key without its certificate.</source>
        <translation>它只给出了客户端证书而没有密钥，或只给出了密钥而没有证书。</translation>
    </message>
    <message>
        <source>it gave neither a token nor a client certificate.</source>
        <translation>它既没有给出令牌，也没有给出客户端证书。</translation>
    </message>
    <message>
        <source>it printed no status: it gave no credentials.</source>
        <translation>输出中没有 status：它没有给出凭据。</translation>
    </message>
    <message>
        <source>it printed nothing.</source>
        <translation>它没有任何输出。</translation>
    </message>
    <message>
        <source>its %1 is no text.</source>
        <translation>其中的 %1 不是文本。</translation>
    </message>
    <message>
        <source>its expirationTimestamp is no time.</source>
        <translation>其中的 expirationTimestamp 不是时间。</translation>
    </message>
    <message>
        <source>its token holds characters that none has.</source>
        <translation>其中的令牌含有令牌中不会出现的字符。</translation>
    </message>
    <message>
        <source>must be text.</source>
        <translation>必须是文本。</translation>
    </message>
    <message>
        <source>must be text: put quotes around it.</source>
        <translation>必须是文本：请加上引号。</translation>
    </message>
    <message>
        <source>must hold names and values.</source>
        <translation>必须由名称和值组成。</translation>
    </message>
    <message>
        <source>needs a name.</source>
        <translation>需要名称。</translation>
    </message>
    <message>
        <source>the cluster &quot;%1&quot;</source>
        <translation>集群“%1”</translation>
    </message>
    <message>
        <source>the user &quot;%1&quot;</source>
        <translation>用户“%1”</translation>
    </message>
    <message>
        <source>what it printed is no ExecCredential.</source>
        <translation>它的输出不是 ExecCredential。</translation>
    </message>
    <message>
        <source>what it printed is no JSON.</source>
        <translation>它的输出不是 JSON。</translation>
    </message>
    <message>
        <source>The API server ended the watch at once.</source>
        <translation>API 服务器立即结束了监视。</translation>
    </message>
    <message>
        <source>The API server sent an object of more than 8 MiB, which is not read.</source>
        <translation>API 服务器发送了超过 8 MiB 的对象，不会读取。</translation>
    </message>
    <message>
        <source>%1 is too long for a Job: %2 KiB, and %3 KiB can be given.</source>
        <translation>%1 对一个 Job 来说过长：%2 KiB，最多可给 %3 KiB。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no name of an object.</source>
        <translation>%1：“%2”不是对象的名称。</translation>
    </message>
    <message>
        <source>A ClusterRole with get, list and watch of nodes shows them; trials run without it.</source>
        <translation>带有节点的 get、list 和 watch 权限的 ClusterRole 可显示它们；没有它试验也能运行。</translation>
    </message>
    <message>
        <source>A Job of the same name is being deleted.</source>
        <translation>同名的 Job 正在被删除。</translation>
    </message>
    <message>
        <source>A LocalQueue of the namespace, where the cluster has Kueue; empty: jobs begin by themselves.</source>
        <translation>命名空间中的 LocalQueue（集群装有 Kueue 时）；留空：作业自行开始。</translation>
    </message>
    <message>
        <source>A context of the kubeconfig; by default the current one.</source>
        <translation>kubeconfig 中的上下文；默认为当前上下文。</translation>
    </message>
    <message>
        <source>A folder of the image or of a volume that has the code already; then none is sent there, and commands run in it.</source>
        <translation>镜像或卷中已有代码的文件夹；此时不再发送代码，命令在其中运行。</translation>
    </message>
    <message>
        <source>API server</source>
        <translation>API 服务器</translation>
    </message>
    <message>
        <source>After so many seconds the cluster ends the trial; empty: no limit.</source>
        <translation>超过这么多秒后集群会结束试验；留空：没有限制。</translation>
    </message>
    <message>
        <source>Always pulls anew for each trial; empty: as Kubernetes does, only what is missing on the node, but always for :latest.</source>
        <translation>Always 为每个试验重新拉取；留空：按 Kubernetes 的做法，只拉取节点上缺少的镜像，但 :latest 总是拉取。</translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrators to apply this:
%1</source>
        <translation>请集群管理员应用以下内容：
%1</translation>
    </message>
    <message>
        <source>Code in the container</source>
        <translation>容器中的代码</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Correct the setting.</source>
        <translation>请更正该设置。</translation>
    </message>
    <message>
        <source>Credential programs</source>
        <translation>凭据程序</translation>
    </message>
    <message>
        <source>For example 8 GB; a trial that uses more is ended. Empty: no limit but the namespace&apos;s.</source>
        <translation>例如 8 GB；超出的试验会被结束。留空：只受命名空间的限制。</translation>
    </message>
    <message>
        <source>GPU resource</source>
        <translation>GPU 资源</translation>
    </message>
    <message>
        <source>How many CPUs each trial may use, for example 4 or 0.5.</source>
        <translation>每个试验可用的 CPU 数，例如 4 或 0.5。</translation>
    </message>
    <message>
        <source>How many jobs may be in the namespace at once, waiting ones included; 0 sets no limit of ours.</source>
        <translation>命名空间中同时最多可有多少作业（含等待中的）；0 表示我们不设限制。</translation>
    </message>
    <message>
        <source>It must be a pod: `spec:` with what is below it, and perhaps `metadata:`.</source>
        <translation>它必须是一个 Pod：`spec:` 及其下的内容，可以还有 `metadata:`。</translation>
    </message>
    <message>
        <source>Kubeconfig</source>
        <translation>Kubeconfig</translation>
    </message>
    <message>
        <source>Kubernetes</source>
        <translation>Kubernetes</translation>
    </message>
    <message>
        <source>Kubernetes %1</source>
        <translation>Kubernetes %1</translation>
    </message>
    <message>
        <source>Kueue queue</source>
        <translation>Kueue 队列</translation>
    </message>
    <message>
        <source>Labels that a node must have: name=value, separated by commas.</source>
        <translation>节点必须具有的标签：name=value，以逗号分隔。</translation>
    </message>
    <message>
        <source>Name a container image in the settings to have a job run at each check.</source>
        <translation>在设置中填写容器镜像，每次检查时就会运行一个作业。</translation>
    </message>
    <message>
        <source>Name of the secret in the namespace with which images are pulled from a private registry.</source>
        <translation>命名空间中用于从私有仓库拉取镜像的 Secret 的名称。</translation>
    </message>
    <message>
        <source>Names of secrets in the namespace, separated by commas; each of their keys becomes a variable of the trial.</source>
        <translation>命名空间中 Secret 的名称，以逗号分隔；它们的每个键都会成为试验的一个变量。</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>命名空间</translation>
    </message>
    <message>
        <source>Node selector</source>
        <translation>节点选择器</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nothing is heard of the cluster.</source>
        <translation>集群没有任何回应。</translation>
    </message>
    <message>
        <source>Of /dev/shm, for example 2 GB, which PyTorch&apos;s data loaders want; by default 64 MB.</source>
        <translation>/dev/shm 的大小，例如 2 GB（PyTorch 的数据加载器需要）；默认 64 MB。</translation>
    </message>
    <message>
        <source>Of the pods, where trials speak to the cluster themselves; empty: they get no token.</source>
        <translation>Pod 的服务账号，用于试验自己访问集群的情形；留空：它们得不到令牌。</translation>
    </message>
    <message>
        <source>Of the pods; by default the cluster&apos;s.</source>
        <translation>Pod 的优先级；默认为集群的设置。</translation>
    </message>
    <message>
        <source>PersistentVolumeClaims and where a trial sees them: claim:/path, separated by commas.</source>
        <translation>PersistentVolumeClaim 及其在试验中的位置：claim:/path，以逗号分隔。</translation>
    </message>
    <message>
        <source>Pod security</source>
        <translation>Pod 安全</translation>
    </message>
    <message>
        <source>Pod template</source>
        <translation>Pod 模板</translation>
    </message>
    <message>
        <source>Priority class</source>
        <translation>优先级类</translation>
    </message>
    <message>
        <source>Programs of the kubeconfig that may be run for credentials, separated by commas; empty: any that it names.</source>
        <translation>kubeconfig 中可为获取凭据而运行的程序，以逗号分隔；留空：其中列出的任何程序。</translation>
    </message>
    <message>
        <source>Pull images</source>
        <translation>拉取镜像</translation>
    </message>
    <message>
        <source>Rights</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Secret of the registry</source>
        <translation>镜像仓库的 Secret</translation>
    </message>
    <message>
        <source>Secrets as variables</source>
        <translation>作为变量的 Secret</translation>
    </message>
    <message>
        <source>Service account</source>
        <translation>服务账号</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>Taints of nodes that do no harm: name, name=value or name=value:NoSchedule, separated by commas.</source>
        <translation>可以容忍的节点污点：name、name=value 或 name=value:NoSchedule，以逗号分隔。</translation>
    </message>
    <message>
        <source>The ConfigMap %1 cannot be made</source>
        <translation>无法创建 ConfigMap %1</translation>
    </message>
    <message>
        <source>The ConfigMap %1 in the namespace %2 is not this service&apos;s. Delete it, or choose another namespace.</source>
        <translation>命名空间 %2 中的 ConfigMap %1 不属于本服务。请删除它，或选择另一个命名空间。</translation>
    </message>
    <message>
        <source>The cluster does not let this account see its jobs and pods any more.</source>
        <translation>集群不再允许该账号查看其作业和 Pod。</translation>
    </message>
    <message>
        <source>The cluster warns: %1 (%2).</source>
        <translation>集群警告：%1（%2）。</translation>
    </message>
    <message>
        <source>The cluster&apos;s list is incomplete. It is asked again.</source>
        <translation>集群返回的列表不完整。将再次询问。</translation>
    </message>
    <message>
        <source>The file that says where the cluster is and who you are; by default as kubectl finds it (KUBECONFIG, ~/.kube/config).</source>
        <translation>说明集群位置和您的身份的文件；默认与 kubectl 相同（KUBECONFIG、~/.kube/config）。</translation>
    </message>
    <message>
        <source>The name by which the cluster counts its GPUs, for example nvidia.com/gpu or nvidia.com/mig-1g.5gb.</source>
        <translation>集群统计 GPU 所用的名称，例如 nvidia.com/gpu 或 nvidia.com/mig-1g.5gb。</translation>
    </message>
    <message>
        <source>The namespace %1 has no job of trial %2, and none of its log was kept.</source>
        <translation>命名空间 %1 中没有试验 %2 的作业，也没有保留它的日志。</translation>
    </message>
    <message>
        <source>The namespace has a Job %1 that is not this service&apos;s.</source>
        <translation>命名空间中有一个不属于本服务的 Job %1。</translation>
    </message>
    <message>
        <source>The packed code has %1 MB, and %2 MB can be given to pods. Leave data out of it (.nniignore), or put it into the image or on a volume and name its folder (codeFolder).</source>
        <translation>打包后的代码有 %1 MB，而最多可给 Pod %2 MB。请排除其中的数据（.nniignore），或把它放入镜像或卷中并填写其文件夹（codeFolder）。</translation>
    </message>
    <message>
        <source>There is no log &quot;%1&quot;: of a pod there are stdout and stderr; what a trial writes into its folder goes with the pod.</source>
        <translation>没有日志“%1”：Pod 只有 stdout 和 stderr；试验写入其文件夹的内容随 Pod 一起消失。</translation>
    </message>
    <message>
        <source>Time limit, seconds</source>
        <translation>时间限制（秒）</translation>
    </message>
    <message>
        <source>Tolerations</source>
        <translation>容忍</translation>
    </message>
    <message>
        <source>User id</source>
        <translation>用户 ID</translation>
    </message>
    <message>
        <source>Volumes</source>
        <translation>卷</translation>
    </message>
    <message>
        <source>What a trial writes into its folder goes with its pod. Have it write to a volume (volumes), or send it elsewhere.</source>
        <translation>试验写入其文件夹的内容随 Pod 一起消失。请让它写到卷（volumes）上，或发送到别处。</translation>
    </message>
    <message>
        <source>What trials run in, for example python:3.12-slim. The experiment&apos;s, or else the platform&apos;s.</source>
        <translation>试验在其中运行的镜像，例如 python:3.12-slim。以实验的为准，否则用平台的。</translation>
    </message>
    <message>
        <source>Where jobs are made; by default that of the context, else &quot;default&quot;.</source>
        <translation>作业创建在哪里；默认为上下文的命名空间，否则为“default”。</translation>
    </message>
    <message>
        <source>With pod security restricted: whom trials run as.</source>
        <translation>Pod 安全为 restricted 时：试验以哪个用户运行。</translation>
    </message>
    <message>
        <source>YAML of a pod (spec, metadata) for all that has no field here. What the service sets itself lies over it; containers and volumes are told apart by their names, the trial&apos;s container is &quot;trial&quot;.</source>
        <translation>Pod 的 YAML（spec、metadata），用于这里没有字段的一切内容。服务自己设置的内容覆盖其上；容器和卷按名称区分，试验的容器名为“trial”。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be read: write %2.</source>
        <translation>“%1”无法识别：请写成%2。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not belong into a pod; there are metadata and spec.</source>
        <translation>“%1”不属于 Pod；只有 metadata 和 spec。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no number of CPUs. Write it as 4 or 0.5.</source>
        <translation>“%1”不是 CPU 数。请写成 4 或 0.5。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be an object.</source>
        <translation>“%1”必须是一个对象。</translation>
    </message>
    <message>
        <source>`kubectl config get-contexts` shows what there is.</source>
        <translation>`kubectl config get-contexts` 会显示有哪些上下文。</translation>
    </message>
    <message>
        <source>`kubectl describe` of the job and its pod says more.</source>
        <translation>对作业及其 Pod 执行 `kubectl describe` 可了解更多。</translation>
    </message>
    <message>
        <source>`kubectl get namespaces` shows which there are.</source>
        <translation>`kubectl get namespaces` 会显示有哪些命名空间。</translation>
    </message>
    <message>
        <source>`kubectl version` must work from this computer; look at the server&apos;s address, the proxy and the certificate.</source>
        <translation>`kubectl version` 必须能在本机运行；请检查服务器地址、代理和证书。</translation>
    </message>
    <message>
        <source>a pod ran there</source>
        <translation>有一个 Pod 在那里运行过</translation>
    </message>
    <message>
        <source>a taint as name, name=value or name=value:NoSchedule</source>
        <translation>污点 name、name=value 或 name=value:NoSchedule</translation>
    </message>
    <message>
        <source>claim:/path, each path once, none below /trialdeck</source>
        <translation>claim:/path，每个路径一次，且不在 /trialdeck 之下</translation>
    </message>
    <message>
        <source>codeFolder: an absolute path is needed, not &quot;%1&quot;.</source>
        <translation>codeFolder：需要绝对路径，而不是“%1”。</translation>
    </message>
    <message>
        <source>context %1 of %2, namespace %3</source>
        <translation>%2 中的上下文 %1，命名空间 %3</translation>
    </message>
    <message>
        <source>gpuResource: &quot;%1&quot; is no name of a resource. Write it as nvidia.com/gpu.</source>
        <translation>gpuResource：“%1”不是资源的名称。请写成 nvidia.com/gpu。</translation>
    </message>
    <message>
        <source>image runs trials as the image says; restricted as namespaces with that pod security demand: not as root, without privileges.</source>
        <translation>image 按镜像的设定运行试验；restricted 按要求该 Pod 安全级别的命名空间运行：不以 root 身份，不带特权。</translation>
    </message>
    <message>
        <source>image: &quot;%1&quot; is no name of an image. Write it as python:3.12-slim.</source>
        <translation>image：“%1”不是镜像的名称。请写成 python:3.12-slim。</translation>
    </message>
    <message>
        <source>image: a container image is needed, for example python:3.12-slim, here or in the platform&apos;s settings.</source>
        <translation>image：需要容器镜像，例如 python:3.12-slim，可填在这里或平台的设置中。</translation>
    </message>
    <message>
        <source>image: a container image is needed, for example python:3.12-slim.</source>
        <translation>image：需要容器镜像，例如 python:3.12-slim。</translation>
    </message>
    <message>
        <source>its code is brought to the cluster</source>
        <translation>正在把它的代码送到集群</translation>
    </message>
    <message>
        <source>its pod did not begin</source>
        <translation>它的 Pod 没有开始</translation>
    </message>
    <message>
        <source>its pod still waits after %1 s: %2</source>
        <translation>%1 秒后它的 Pod 仍在等待：%2</translation>
    </message>
    <message>
        <source>labels as name=value, each name once</source>
        <translation>标签 name=value，每个名称一次</translation>
    </message>
    <message>
        <source>names of objects, in lower case</source>
        <translation>对象的名称，用小写</translation>
    </message>
    <message>
        <source>namespace: &quot;%1&quot; is no name of a namespace.</source>
        <translation>namespace：“%1”不是命名空间的名称。</translation>
    </message>
    <message>
        <source>not run: the settings name no image</source>
        <translation>未运行：设置中没有镜像</translation>
    </message>
    <message>
        <source>spec.restartPolicy cannot be set: a trial runs once.</source>
        <translation>不能设置 spec.restartPolicy：试验只运行一次。</translation>
    </message>
    <message>
        <source>the account may do what is needed in %1</source>
        <translation>该账号在 %1 中拥有所需的权限</translation>
    </message>
    <message>
        <source>the account may not see them, so the machines page stays empty</source>
        <translation>该账号无权查看它们，因此机器页面为空</translation>
    </message>
    <message>
        <source>the account may not: %1</source>
        <translation>该账号无权：%1</translation>
    </message>
    <message>
        <source>trialkeeper-pod has %1 bytes, and a ConfigMap carries %2. Use a release build of Trialdeck.</source>
        <translation>trialkeeper-pod 有 %1 字节，而 ConfigMap 最多可装 %2 字节。请使用 Trialdeck 的发布版本。</translation>
    </message>
    <message>
        <source>A command needs a pod and one of its containers.</source>
        <translation>命令需要指定 pod 及其中一个容器。</translation>
    </message>
    <message>
        <source>note must be a text of up to %1 characters.</source>
        <translation>note 必须是不超过 %1 个字符的文本。</translation>
    </message>
    <message>
        <source>The packed code %1 cannot be read whole.</source>
        <translation>打包后的代码 %1 无法完整读取。</translation>
    </message>
    <message>
        <source>%1 has no &quot;%2&quot;. There is: %3.</source>
        <translation>%1 没有“%2”。可用的有：%3。</translation>
    </message>
    <message>
        <source>%1 has not looked at it yet. Ask the cluster&apos;s administrators whether it runs.</source>
        <translation>%1 尚未处理它。请询问集群管理员它是否在运行。</translation>
    </message>
    <message>
        <source>%1 serves %2 %3</source>
        <translation>%1 提供 %2 %3</translation>
    </message>
    <message>
        <source>%1.%2: %3</source>
        <translation>%1.%2：%3</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no name of an image. Write it as python:3.12-slim.</source>
        <translation>%1：“%2”不是镜像的名称。请写成 python:3.12-slim。</translation>
    </message>
    <message>
        <source>%1: it cannot be set for pods of the runtime %2. Name no runtime, so that one is made for the trial.</source>
        <translation>%1：无法为运行时 %2 的 Pod 设置。请不要指定运行时，系统会为该试验创建一个。</translation>
    </message>
    <message>
        <source>%1: it must be a mapping with a name.</source>
        <translation>%1：必须是带有名称的映射。</translation>
    </message>
    <message>
        <source>A %1 has no role &quot;%2&quot;. There is: %3.</source>
        <translation>%1 没有角色“%2”。可用的有：%3。</translation>
    </message>
    <message>
        <source>A %1 has one %2, not %3.</source>
        <translation>%1 只有一个 %2，而不是 %3 个。</translation>
    </message>
    <message>
        <source>A %1 needs a role at least.</source>
        <translation>%1 至少需要一个角色。</translation>
    </message>
    <message>
        <source>A ClusterRole with list and watch of pods shows them; trials run without it.</source>
        <translation>一个含 pods 的 list 与 watch 权限的 ClusterRole 即可显示它们；没有它试验照样运行。</translation>
    </message>
    <message>
        <source>A ClusterTrainingRuntime whose pods a TrainJob changes, for example torch-distributed; empty: one is made for each trial, with all that its pod needs.</source>
        <translation>由 TrainJob 修改其 Pod 的 ClusterTrainingRuntime，例如 torch-distributed；留空：为每个试验创建一个，包含其 Pod 所需的一切。</translation>
    </message>
    <message>
        <source>A TFJob has a Chief or a Master, not both.</source>
        <translation>TFJob 只能有 Chief 或 Master 之一。</translation>
    </message>
    <message>
        <source>A TFJob needs a Chief, a Master or a Worker, whose end is the trial&apos;s.</source>
        <translation>TFJob 需要一个 Chief、Master 或 Worker，其结束即试验的结束。</translation>
    </message>
    <message>
        <source>A trial whose pod has its node, but not its image or a secret, has failed after so long, because it keeps GPUs from others; 0 waits for ever.</source>
        <translation>若试验的 Pod 已有节点，却拿不到镜像或 Secret，过了这么久便算失败，因为它占着别人的 GPU；0 表示一直等待。</translation>
    </message>
    <message>
        <source>An MPIJob needs the role Launcher, which starts mpirun.</source>
        <translation>MPIJob 需要角色 Launcher，由它启动 mpirun。</translation>
    </message>
    <message>
        <source>An attempt of it is over, and the cluster starts another one.</source>
        <translation>它的一次尝试已结束，集群正在开始下一次。</translation>
    </message>
    <message>
        <source>Code cannot be sent into pods of the runtime %1. Name no runtime, or name with codeFolder where the image has the code.</source>
        <translation>无法将代码发送到运行时 %1 的 Pod 中。请不要指定运行时，或用 codeFolder 指明镜像中代码的位置。</translation>
    </message>
    <message>
        <source>Delivery of code</source>
        <translation>代码的送达方式</translation>
    </message>
    <message>
        <source>FrameworkController</source>
        <translation>FrameworkController</translation>
    </message>
    <message>
        <source>Image of the barrier</source>
        <translation>屏障镜像</translation>
    </message>
    <message>
        <source>It is missing.</source>
        <translation>缺少此项。</translation>
    </message>
    <message>
        <source>It must be 1 or more tasks, or -1 for never.</source>
        <translation>必须是 1 个或更多任务，或用 -1 表示从不。</translation>
    </message>
    <message>
        <source>It must be a text.</source>
        <translation>必须是文本。</translation>
    </message>
    <message>
        <source>It must be a whole number from %1 to %2.</source>
        <translation>必须是 %1 到 %2 的整数。</translation>
    </message>
    <message>
        <source>It waits for its part %1. %2</source>
        <translation>它在等待其部分 %1。%2</translation>
    </message>
    <message>
        <source>It waits in the queue %1 (Kueue): %2.</source>
        <translation>它在队列 %1（Kueue）中等待：%2。</translation>
    </message>
    <message>
        <source>Its code could not be unpacked in its pod: %1 It is tried again.</source>
        <translation>其代码无法在 Pod 中解包：%1 正在重试。</translation>
    </message>
    <message>
        <source>Its code is sent into its pod: %1 of %2 MB.</source>
        <translation>正在把代码送入其 Pod：%2 MB 中的 %1 MB。</translation>
    </message>
    <message>
        <source>Its code is there; it begins.</source>
        <translation>代码已送达，即将开始。</translation>
    </message>
    <message>
        <source>Its code is unpacked in its pod.</source>
        <translation>正在其 Pod 中解包代码。</translation>
    </message>
    <message>
        <source>Its pod waits for its code, which cannot be sent: %1</source>
        <translation>其 Pod 在等待代码，而代码无法发送：%1</translation>
    </message>
    <message>
        <source>Its pod waits for its code, which is sent when that of others has been.</source>
        <translation>其 Pod 在等待代码；其他试验的代码发送完后便轮到它。</translation>
    </message>
    <message>
        <source>Its pod waits for its code. The last try failed: %1</source>
        <translation>其 Pod 在等待代码。上一次尝试失败：%1</translation>
    </message>
    <message>
        <source>Kind of job</source>
        <translation>作业类型</translation>
    </message>
    <message>
        <source>Kubeflow</source>
        <translation>Kubeflow</translation>
    </message>
    <message>
        <source>Kueue took its place in the queue %1 away (%2), and starts it again when there is room.</source>
        <translation>Kueue 收回了它在队列 %1 中的位置（%2），有空位时会重新启动它。</translation>
    </message>
    <message>
        <source>Large code</source>
        <translation>较大的代码</translation>
    </message>
    <message>
        <source>More than %1 pods run: their logs and values are read in turns, each for %2 seconds.</source>
        <translation>有超过 %1 个 Pod 在运行：它们的日志与数值轮流读取，每次 %2 秒。</translation>
    </message>
    <message>
        <source>No pod of a %1 can be called as one of &quot;%2&quot; would be: names hold 63 of a-z, 0-9 and -. Shorten the names of the roles.</source>
        <translation>%1 的 Pod 名称会过长或无效（“%2”）：名称最多 63 个字符，由 a-z、0-9 和 - 组成。请缩短角色的名称。</translation>
    </message>
    <message>
        <source>Of a TrainJob those that torchrun starts in each pod, of an MPIJob the slots of each worker.</source>
        <translation>对 TrainJob 是 torchrun 在每个 Pod 中启动的进程数，对 MPIJob 是每个 Worker 的槽位数。</translation>
    </message>
    <message>
        <source>Patience for a start, minutes</source>
        <translation>等待启动的耐心（分钟）</translation>
    </message>
    <message>
        <source>Pods of others</source>
        <translation>他人的 Pod</translation>
    </message>
    <message>
        <source>Processes a pod</source>
        <translation>每个 Pod 的进程数</translation>
    </message>
    <message>
        <source>Roles</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>The Role has this right, too. Code may also lie in the image or on a volume (codeFolder).</source>
        <translation>该 Role 也含此权限。代码也可以放在镜像或卷里（codeFolder）。</translation>
    </message>
    <message>
        <source>The cluster knows a %1 only as %2, and %3 is needed: its %4 is another version. How it is installed is on the page &quot;%5&quot;.</source>
        <translation>集群只认识 %2 版本的 %1，而需要 %3：其 %4 是另一个版本。安装方法见页面“%5”。</translation>
    </message>
    <message>
        <source>The cluster knows no %1: it has no %2, or another version of it. How it is installed is on the page &quot;%3&quot;.</source>
        <translation>集群不认识 %1：它没有 %2，或是另一个版本。安装方法见页面“%3”。</translation>
    </message>
    <message>
        <source>The connection ended before the command in the pod did.</source>
        <translation>Pod 中的命令尚未结束，连接就断了。</translation>
    </message>
    <message>
        <source>The packed code %1 cannot be read: %2.</source>
        <translation>无法读取打包的代码 %1：%2。</translation>
    </message>
    <message>
        <source>The queue %1 (Kueue) does not take it: %2. Choose another queue, or have it put right.</source>
        <translation>队列 %1（Kueue）不接受它：%2。请另选队列，或让管理员修正。</translation>
    </message>
    <message>
        <source>The queue %1 (Kueue) has let it begin.</source>
        <translation>队列 %1（Kueue）已允许它开始。</translation>
    </message>
    <message>
        <source>The role &quot;%1&quot; cannot be called so: FrameworkController takes names of a-z and 0-9, without a dash.</source>
        <translation>角色不能命名为“%1”：FrameworkController 只接受由 a-z 和 0-9 组成的名称，不含连字符。</translation>
    </message>
    <message>
        <source>The role &quot;%1&quot; has no command, and the experiment has none either.</source>
        <translation>角色“%1”没有命令，实验也没有。</translation>
    </message>
    <message>
        <source>The role &quot;%1&quot; has no image, and neither the experiment nor the platform has one.</source>
        <translation>角色“%1”没有镜像，实验和平台也都没有。</translation>
    </message>
    <message>
        <source>The role &quot;%1&quot; is there twice.</source>
        <translation>角色“%1”出现了两次。</translation>
    </message>
    <message>
        <source>The role &quot;%1&quot; must have 1 to %2 pods, not %3.</source>
        <translation>角色“%1”必须有 1 到 %2 个 Pod，而不是 %3 个。</translation>
    </message>
    <message>
        <source>Training runtime</source>
        <translation>训练运行时</translation>
    </message>
    <message>
        <source>What a trial is in the cluster: a job of the Training Operator (PyTorchJob, TFJob, MPIJob), or of Kubeflow Trainer (TrainJob).</source>
        <translation>试验在集群中的形式：Training Operator 的作业（PyTorchJob、TFJob、MPIJob），或 Kubeflow Trainer 的作业（TrainJob）。</translation>
    </message>
    <message>
        <source>With FrameworkBarrier, for example frameworkcontroller/frameworkbarrier, pods of a trial wait until all have an address, and see them as FB_ROLE_ADDRESSES; the service account must be allowed to read frameworks. Empty: none waits.</source>
        <translation>使用 FrameworkBarrier（例如 frameworkcontroller/frameworkbarrier）时，试验的 Pod 会等到全部都有地址，并以 FB_ROLE_ADDRESSES 看到这些地址；服务账户必须有权读取 Framework。留空：不等待。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of an image. Write it as python:3.12-slim.</source>
        <translation>“%1”不是镜像的名称。请写成 python:3.12-slim。</translation>
    </message>
    <message>
        <source>a pod of it was evicted</source>
        <translation>它的一个 Pod 被驱逐</translation>
    </message>
    <message>
        <source>another part of it succeeded, which was enough</source>
        <translation>它的另一部分已成功，这就足够了</translation>
    </message>
    <message>
        <source>auto puts it into ConfigMaps, which all trials share, and sends more than 16 MB into each pod; send always sends it, which needs neither a shell nor tar in the image, but the right to exec in pods.</source>
        <translation>auto 把代码放入各试验共用的 ConfigMap，超过 16 MB 则送入每个 Pod；send 总是送入 Pod，镜像里不需要 shell 和 tar，但需要在 Pod 中 exec 的权限。</translation>
    </message>
    <message>
        <source>code of more than 16 MB cannot be brought to trials: the account may not %1</source>
        <translation>超过 16 MB 的代码无法送到试验：该账户没有权限 %1</translation>
    </message>
    <message>
        <source>is %1, and v1 of the Training Operator is used.</source>
        <translation>是 %1，将使用 Training Operator 的 v1。</translation>
    </message>
    <message>
        <source>is no role of this operator.</source>
        <translation>不是此 Operator 的角色。</translation>
    </message>
    <message>
        <source>it could not begin for %1 minutes: %2</source>
        <translation>它在 %1 分钟内未能开始：%2</translation>
    </message>
    <message>
        <source>its %1 failed on the cluster</source>
        <translation>其 %1 在集群上失败</translation>
    </message>
    <message>
        <source>its %1 failed on the cluster (%2)</source>
        <translation>其 %1 在集群上失败（%2）</translation>
    </message>
    <message>
        <source>its code could not be unpacked in its pod: %1</source>
        <translation>其代码无法在 Pod 中解包：%1</translation>
    </message>
    <message>
        <source>its image has no sh, tar or gzip, with which its code is unpacked: have the code sent (codeDelivery: send)</source>
        <translation>其镜像没有用来解包代码的 sh、tar 或 gzip：请改为发送代码（codeDelivery: send）</translation>
    </message>
    <message>
        <source>its part %1 failed</source>
        <translation>其部分 %1 失败</translation>
    </message>
    <message>
        <source>its part %1 failed: %2</source>
        <translation>其部分 %1 失败：%2</translation>
    </message>
    <message>
        <source>jobKind: &quot;%1&quot; is no kind of job of Kubeflow.</source>
        <translation>jobKind：“%1”不是 Kubeflow 的作业类型。</translation>
    </message>
    <message>
        <source>must be a size such as 8 GB, or a number of MB.</source>
        <translation>必须是大小（例如 8 GB），或以 MB 为单位的数字。</translation>
    </message>
    <message>
        <source>must be tf-operator or pytorch-operator.</source>
        <translation>必须是 tf-operator 或 pytorch-operator。</translation>
    </message>
    <message>
        <source>names no role.</source>
        <translation>没有指定任何角色。</translation>
    </message>
    <message>
        <source>roles: %1</source>
        <translation>roles：%1</translation>
    </message>
    <message>
        <source>roles: it must be a list of 1 to %1 roles, each with a name: - {name: worker, count: 2}</source>
        <translation>roles：必须是 1 到 %1 个角色的列表，每个角色都有名称：- {name: worker, count: 2}</translation>
    </message>
    <message>
        <source>runtime: the name of a ClusterTrainingRuntime is needed.</source>
        <translation>runtime：需要一个 ClusterTrainingRuntime 的名称。</translation>
    </message>
    <message>
        <source>runtime: this version of Kubeflow Trainer cannot give pods of the runtime %1 what a trial needs. Name no runtime, so that one is made for the trial.</source>
        <translation>runtime：此版本的 Kubeflow Trainer 无法为运行时 %1 的 Pod 提供试验所需的内容。请不要指定运行时，系统会为该试验创建一个。</translation>
    </message>
    <message>
        <source>somebody stopped it on the cluster</source>
        <translation>有人在集群上停止了它</translation>
    </message>
    <message>
        <source>the account may not see pods of other namespaces, so GPUs that they hold look free</source>
        <translation>该账户看不到其他命名空间的 Pod，因此它们占用的 GPU 看上去是空闲的</translation>
    </message>
    <message>
        <source>the cluster did not make its pod</source>
        <translation>集群没有创建其 Pod</translation>
    </message>
    <message>
        <source>timeLimit: the cluster&apos;s TrainJob has none for pods of the runtime %1. Name no runtime, so that one is made for the trial.</source>
        <translation>timeLimit：集群的 TrainJob 不支持为运行时 %1 的 Pod 设置时限。请不要指定运行时，系统会为该试验创建一个。</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>The cluster knows no %1. Choose another kind of job, or have its operator installed.</source>
        <translation>集群不认识 %1。请选择另一种作业，或安装其 Operator。</translation>
    </message>
    <message>
        <source>Trials are objects of an operator, which the cluster&apos;s administrators install. The kind kubernetes needs none.</source>
        <translation>试验是 Operator 的对象，Operator 由集群管理员安装。kubernetes 类型不需要 Operator。</translation>
    </message>
    <message>
        <source>it was deleted in the cluster</source>
        <translation>它在集群中被删除</translation>
    </message>
    <message>
        <source>the cluster serves %1</source>
        <translation>集群提供 %1</translation>
    </message>
    <message>
        <source>its Job was deleted in the cluster</source>
        <translation>它的 Job 在集群中被删除</translation>
    </message>
    <message>
        <source>%1 × %2 on %3 nodes</source>
        <translation>%3 个节点上有 %1 × %2</translation>
    </message>
    <message>
        <source>%1 × %2 on one node</source>
        <translation>一个节点上有 %1 × %2</translation>
    </message>
    <message>
        <source>it is no whole gzip file</source>
        <translation>它不是完整的 gzip 文件</translation>
    </message>
    <message>
        <source>The ConfigMap %1 is made and deleted by somebody else at once.</source>
        <translation>ConfigMap %1 正同时被他人创建和删除。</translation>
    </message>
    <message>
        <source>%1 answered with status %2 to the request for a token.</source>
        <translation>%1 对令牌请求返回了状态 %2。</translation>
    </message>
    <message>
        <source>%1 answered with status %2 where it should say how tokens are renewed. Check the idp-issuer-url.</source>
        <translation>%1 本应说明如何更新令牌，却返回了状态 %2。请检查 idp-issuer-url。</translation>
    </message>
    <message>
        <source>%1 answers for the issuer &quot;%2&quot;. Write the right one into idp-issuer-url.</source>
        <translation>%1 自称签发方“%2”。请在 idp-issuer-url 中填写正确的地址。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>%1 does not accept the client-id and client-secret of the kubeconfig (%2).</source>
        <translation>%1 不接受 kubeconfig 中的 client-id 和 client-secret（%2）。</translation>
    </message>
    <message>
        <source>%1 does not accept the refresh-token any more (%2).</source>
        <translation>%1 不再接受 refresh-token（%2）。</translation>
    </message>
    <message>
        <source>%1 gave an id_token with characters that none has.</source>
        <translation>%1 给出的 id_token 含有令牌不应有的字符。</translation>
    </message>
    <message>
        <source>%1 gave no id_token. Some providers give none with a refresh-token, or only to a login with the scope openid.</source>
        <translation>%1 没有给出 id_token。有些身份提供方更新时不给，或只给带 openid 范围的登录。</translation>
    </message>
    <message>
        <source>%1 has no such user any more.</source>
        <translation>%1 中已没有该用户。</translation>
    </message>
    <message>
        <source>%1 must be a list of objects, or a text with one in YAML.</source>
        <translation>%1 必须是对象列表，或包含该列表的 YAML 文本。</translation>
    </message>
    <message>
        <source>%1 names no token_endpoint that begins with https://.</source>
        <translation>%1 没有给出以 https:// 开头的 token_endpoint。</translation>
    </message>
    <message>
        <source>%1 refuses to give a token (%2).</source>
        <translation>%1 拒绝给出令牌（%2）。</translation>
    </message>
    <message>
        <source>%1, and it cannot be renewed now: %2</source>
        <translation>%1，目前无法更新：%2</translation>
    </message>
    <message>
        <source>%1, and it cannot be renewed: %2 Log in to the cluster again; better, use the exec plugin kubelogin (kubectl oidc-login).</source>
        <translation>%1，且无法更新：%2 请重新登录集群；最好改用 exec 插件 kubelogin（kubectl oidc-login）。</translation>
    </message>
    <message>
        <source>CPUs</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Fails after</source>
        <translation>失败阈值</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Its tokens stand there in a way that cannot be changed in place.</source>
        <translation>其中令牌的写法无法就地修改。</translation>
    </message>
    <message>
        <source>Kueue has taken it out of the queue %1 (%2). It starts when somebody activates its Workload again.</source>
        <translation>Kueue 已将它移出队列 %1（%2）。有人重新激活其 Workload 后才会开始。</translation>
    </message>
    <message>
        <source>Kueue took its place in the queue %1 away (%2), and starts it again when there is room: %3.</source>
        <translation>Kueue 收回了它在队列 %1 中的位置（%2），有空位时会重新启动：%3。</translation>
    </message>
    <message>
        <source>Logs and values of trials cannot be read, so trials end late and without them. %1 What its Role lacks: %2</source>
        <translation>无法读取试验的日志和数值，因此试验会较晚结束且没有这些数据。%1 其 Role 缺少：%2</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Of a-z and 0-9, without a dash.</source>
        <translation>由 a-z 和 0-9 组成，不含连字符。</translation>
    </message>
    <message>
        <source>Of each pod, for example 4 or 0.5.</source>
        <translation>每个 Pod 的数量，例如 4 或 0.5。</translation>
    </message>
    <message>
        <source>Of each pod, for example 8 GB.</source>
        <translation>每个 Pod 的大小，例如 8 GB。</translation>
    </message>
    <message>
        <source>Of each pod; empty: as many as the experiment gives a trial.</source>
        <translation>每个 Pod 的数量；留空则与实验给试验的数量相同。</translation>
    </message>
    <message>
        <source>Pods</source>
        <translation>Pod 数</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Succeeds after</source>
        <translation>成功阈值</translation>
    </message>
    <message>
        <source>The ID token of the user &quot;%1&quot; expired at %2</source>
        <translation>用户“%1”的 ID 令牌已于 %2 过期</translation>
    </message>
    <message>
        <source>The cluster does not accept the ID token of the user &quot;%1&quot; (401)</source>
        <translation>集群不接受用户“%1”的 ID 令牌（401）</translation>
    </message>
    <message>
        <source>The file %1 is there. Remove it, unless a kubectl is at work.</source>
        <translation>文件 %1 已存在。如果没有 kubectl 在运行，请删除它。</translation>
    </message>
    <message>
        <source>The id-token of the user &quot;%1&quot; holds characters that none has. Log in again.</source>
        <translation>用户“%1”的 id-token 含有令牌不应有的字符。请重新登录。</translation>
    </message>
    <message>
        <source>The idp-certificate-authority of the user &quot;%1&quot; is no certificate: it must be PEM text.</source>
        <translation>用户“%1”的 idp-certificate-authority 不是证书：必须是 PEM 文本。</translation>
    </message>
    <message>
        <source>The pods of a trial, a row each role; what a row leaves empty is as the experiment says, and without rows a trial has one pod. As text it is a list of YAML: - {name: Worker, count: 2, command: python3 train.py, image: …, cpu: 4, memory: 8 GB, gpus: 1}</source>
        <translation>试验的 Pod，每个角色一行；行中留空的与实验相同，没有行时试验只有一个 Pod。写成文本时是 YAML 列表：- {name: Worker, count: 2, command: python3 train.py, image: …, cpu: 4, memory: 8 GB, gpus: 1}</translation>
    </message>
    <message>
        <source>The pods of a trial, a row each role; what a row leaves empty is as the experiment says, and without rows a trial has one pod. As text it is a list of YAML: - {name: worker, count: 2, command: python3 train.py, image: …, cpu: 4, memory: 8 GB, gpus: 1, minFailed: 1, minSucceeded: -1}</source>
        <translation>试验的 Pod，每个角色一行；行中留空的与实验相同，没有行时试验只有一个 Pod。写成文本时是 YAML 列表：- {name: worker, count: 2, command: python3 train.py, image: …, cpu: 4, memory: 8 GB, gpus: 1, minFailed: 1, minSucceeded: -1}</translation>
    </message>
    <message>
        <source>The provider gave an ID token that has expired already. Check the clock of this computer.</source>
        <translation>身份提供方给出的 ID 令牌已经过期。请检查本机时钟。</translation>
    </message>
    <message>
        <source>The provider gave the same ID token again.</source>
        <translation>身份提供方给出的仍是同一个 ID 令牌。</translation>
    </message>
    <message>
        <source>The renewed login of the user &quot;%1&quot; cannot be written into %2: %3 It is good until this service ends; kubectl may ask for a login before.</source>
        <translation>用户“%1”更新后的登录无法写入 %2：%3 它在本服务结束前有效；在此之前 kubectl 可能会要求登录。</translation>
    </message>
    <message>
        <source>The user &quot;%1&quot; has no ID token</source>
        <translation>用户“%1”没有 ID 令牌</translation>
    </message>
    <message>
        <source>What runs in the pods of this role; empty: the experiment&apos;s command.</source>
        <translation>此角色的 Pod 中运行的命令；留空则用实验的命令。</translation>
    </message>
    <message>
        <source>With so many pods of the role that end so, the whole trial does; -1: never.</source>
        <translation>该角色有这么多 Pod 如此结束时，整个试验也如此结束；-1：从不。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no log that is kept.</source>
        <translation>没有保存名为“%1”的日志。</translation>
    </message>
    <message>
        <source>has no effect: each trial has pods of its own, which end with it, so that no trial meets what another one left.</source>
        <translation>不起作用：每个试验有自己的 Pod，随试验结束，因此不会遇到其他试验留下的东西。</translation>
    </message>
    <message>
        <source>is a place holder: write what it stands for.</source>
        <translation>是占位符：请写上实际的值。</translation>
    </message>
    <message>
        <source>is mounted at /tmp/mount, as NNI does it. Leave the storage out where trials use nothing of it.</source>
        <translation>挂载在 /tmp/mount，与 NNI 相同。试验不使用其中内容时请去掉存储。</translation>
    </message>
    <message>
        <source>is not read: write the roles of its Framework as trial.taskRoles.</source>
        <translation>不会读取：请将其 Framework 的角色写为 trial.taskRoles。</translation>
    </message>
    <message>
        <source>must be nfs or azureStorage.</source>
        <translation>必须是 nfs 或 azureStorage。</translation>
    </message>
    <message>
        <source>must be nfs, azureStorage or pvc.</source>
        <translation>必须是 nfs、azureStorage 或 pvc。</translation>
    </message>
    <message>
        <source>the idp-issuer-url must be an address that begins with https://.</source>
        <translation>idp-issuer-url 必须是以 https:// 开头的地址。</translation>
    </message>
    <message>
        <source>the kubeconfig holds no %1.</source>
        <translation>kubeconfig 中没有 %1。</translation>
    </message>
    <message>
        <source>%1 GPUs, %2 of them free; the first %3 are shown.</source>
        <translation>共 %1 个 GPU，其中 %2 个空闲；显示前 %3 个。</translation>
    </message>
    <message>
        <source>%1: %2 cannot be read (%3).</source>
        <translation>%1：无法读取 %2（%3）。</translation>
    </message>
    <message>
        <source>%1: %2 is empty.</source>
        <translation>%1：%2 是空的。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no address; write it as %3.</source>
        <translation>%1：“%2”不是地址；请写成 %3 的形式。</translation>
    </message>
    <message>
        <source>%1: an absolute path is needed, not &quot;%2&quot;.</source>
        <translation>%1：需要绝对路径，而不是“%2”。</translation>
    </message>
    <message>
        <source>A whole job in OpenPAI&apos;s protocol (YAML). Its first task role is the trial: its commands run instead of the trial&apos;s command. Name, storage and virtual cluster are set by the service.</source>
        <translation>OpenPAI 协议（YAML）的完整作业。它的第一个任务角色就是试验：运行它的命令，而不是试验的命令。名称、存储和虚拟集群由服务设置。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Best an application token from your profile page: it does not expire.</source>
        <translation>最好使用个人资料页上的应用令牌：它不会过期。</translation>
    </message>
    <message>
        <source>Choose a storage that your groups may use; the portal lists them on your profile page.</source>
        <translation>请选择您所在的组可以使用的存储；门户的个人资料页会列出它们。</translation>
    </message>
    <message>
        <source>Choose one that the portal shows you under Virtual Clusters.</source>
        <translation>请选择门户“Virtual Clusters”下显示的一个。</translation>
    </message>
    <message>
        <source>Enter a token of your profile page in the portal (an application token does not expire), or your password.</source>
        <translation>请输入门户个人资料页上的令牌（应用令牌不会过期），或您的密码。</translation>
    </message>
    <message>
        <source>Enter the address of OpenPAI&apos;s web portal, as your browser has it, with https:// or http://.</source>
        <translation>请输入 OpenPAI 门户的地址，与浏览器中的一样，带 https:// 或 http://。</translation>
    </message>
    <message>
        <source>For example 8 GB; a trial that uses more is ended.</source>
        <translation>例如 8 GB；超出的试验会被结束。</translation>
    </message>
    <message>
        <source>How many jobs may be there at once, waiting ones included; 0 sets no limit of ours.</source>
        <translation>同时最多可以有多少个作业，包括等待中的；0 表示我们不设限制。</translation>
    </message>
    <message>
        <source>How often jobs are listed. OpenPAI answers 60 lists a minute for each user, and 600 requests for each address.</source>
        <translation>多久列出一次作业。OpenPAI 每分钟为每个用户应答 60 次列表，为每个地址应答 600 次请求。</translation>
    </message>
    <message>
        <source>Instead of a token, where the cluster has its own accounts: tokens are then asked for by it.</source>
        <translation>代替令牌，适用于集群有自己账户的情况：令牌将用它来申请。</translation>
    </message>
    <message>
        <source>Instead of the token: a file that something renews; it is read again when the token is refused.</source>
        <translation>代替令牌：由其他程序更新的文件；令牌被拒绝时会重新读取。</translation>
    </message>
    <message>
        <source>Job of your own</source>
        <translation>自定义作业</translation>
    </message>
    <message>
        <source>Look at the job in the portal. The storage must be the same folder there (containerStorageMountPoint) and here, and the image needs bash.</source>
        <translation>请在门户中查看该作业。存储在那里（containerStorageMountPoint）和这里必须是同一个文件夹，并且镜像需要 bash。</translation>
    </message>
    <message>
        <source>Mount the storage on this computer, writable for you, and name the folder (localStorageMountPoint).</source>
        <translation>请在本机挂载该存储，使您可以写入，并填写该文件夹（localStorageMountPoint）。</translation>
    </message>
    <message>
        <source>Of /dev/shm, for example 2 GB, which PyTorch&apos;s data loaders want; by default 512 MB.</source>
        <translation>/dev/shm 的大小，例如 2 GB（PyTorch 的数据加载器需要）；默认 512 MB。</translation>
    </message>
    <message>
        <source>Of OpenPAI&apos;s web portal, for example https://pai.example.org. Over plain http whoever listens gets the token.</source>
        <translation>OpenPAI 门户的地址，例如 https://pai.example.org。使用明文 http 时，任何监听者都能得到令牌。</translation>
    </message>
    <message>
        <source>On clusters with the hived scheduler: the kind of machine share a trial takes; so many as it has GPUs, at least one.</source>
        <translation>在使用 hived 调度器的集群上：试验占用的机器份额类型；数量与其 GPU 数相同，至少一个。</translation>
    </message>
    <message>
        <source>OpenPAI</source>
        <translation>OpenPAI</translation>
    </message>
    <message>
        <source>OpenPAI %1</source>
        <translation>OpenPAI %1</translation>
    </message>
    <message>
        <source>OpenPAI answered the login without a token.</source>
        <translation>OpenPAI 对登录的应答中没有令牌。</translation>
    </message>
    <message>
        <source>OpenPAI answered with another job than the one that was asked for.</source>
        <translation>OpenPAI 返回的作业不是所请求的那个。</translation>
    </message>
    <message>
        <source>OpenPAI answered with another storage than the one that was asked for.</source>
        <translation>OpenPAI 返回的存储不是所请求的那个。</translation>
    </message>
    <message>
        <source>OpenPAI answers with an error of its own (HTTP %1).</source>
        <translation>OpenPAI 返回了自身的错误（HTTP %1）。</translation>
    </message>
    <message>
        <source>OpenPAI answers with an error of its own: %1</source>
        <translation>OpenPAI 返回了自身的错误：%1</translation>
    </message>
    <message>
        <source>OpenPAI does not accept the token (any more). Make another one on your profile page, and enter it in the platform&apos;s settings.</source>
        <translation>OpenPAI 不（再）接受该令牌。请在个人资料页上创建另一个，并填入平台设置。</translation>
    </message>
    <message>
        <source>OpenPAI does not accept the token in %1 (any more). It is read again when it is renewed.</source>
        <translation>OpenPAI 不（再）接受 %1 中的令牌。更新后会重新读取。</translation>
    </message>
    <message>
        <source>OpenPAI does not accept the token: it has expired, was revoked, or is not of this cluster.</source>
        <translation>OpenPAI 不接受该令牌：它已过期、已被吊销，或不属于此集群。</translation>
    </message>
    <message>
        <source>OpenPAI does not accept the user name and password.</source>
        <translation>OpenPAI 不接受该用户名和密码。</translation>
    </message>
    <message>
        <source>OpenPAI has no storage of this name.</source>
        <translation>OpenPAI 没有这个名称的存储。</translation>
    </message>
    <message>
        <source>OpenPAI refuses it (%1).</source>
        <translation>OpenPAI 拒绝了它（%1）。</translation>
    </message>
    <message>
        <source>OpenPAI takes no more requests for now: its limit of requests is reached.</source>
        <translation>OpenPAI 目前不再接受请求：已达到请求数上限。</translation>
    </message>
    <message>
        <source>OpenPAI: %1</source>
        <translation>OpenPAI：%1</translation>
    </message>
    <message>
        <source>PEM, where the cluster&apos;s certificate is not signed by one that this computer trusts.</source>
        <translation>PEM 文件，适用于集群证书并非由本机信任的机构签发的情况。</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>SKU</source>
        <translation>SKU</translation>
    </message>
    <message>
        <source>Something else than OpenPAI answered. Is the address that of its portal?</source>
        <translation>应答的不是 OpenPAI。该地址是它的门户地址吗？</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Storage here</source>
        <translation>本机上的存储</translation>
    </message>
    <message>
        <source>Storage in containers</source>
        <translation>容器中的存储</translation>
    </message>
    <message>
        <source>Storage of the cluster</source>
        <translation>集群的存储</translation>
    </message>
    <message>
        <source>The cluster has no virtual cluster &quot;%1&quot;, or you may not see it; there are %2.</source>
        <translation>集群没有虚拟集群“%1”，或者您无权查看；现有 %2。</translation>
    </message>
    <message>
        <source>The cluster&apos;s name of a storage that trials share, as its portal lists them.</source>
        <translation>试验共享的存储在集群中的名称，与门户中列出的一致。</translation>
    </message>
    <message>
        <source>The cluster&apos;s nodes do not see %1: code in place must lie in %2. Use a snapshot, or move it there.</source>
        <translation>集群的节点看不到 %1：就地代码必须位于 %2 中。请使用快照，或将它移到那里。</translation>
    </message>
    <message>
        <source>The job is larger than OpenPAI takes (100 KiB).</source>
        <translation>该作业超过了 OpenPAI 的上限（100 KiB）。</translation>
    </message>
    <message>
        <source>The storage cannot be used here (localStorageMountPoint)</source>
        <translation>本机无法使用该存储（localStorageMountPoint）</translation>
    </message>
    <message>
        <source>This cluster logs in with an identity provider: enter an application token of your profile page in the portal.</source>
        <translation>此集群通过身份提供方登录：请输入门户个人资料页上的应用令牌。</translation>
    </message>
    <message>
        <source>This virtual cluster has no GPU.</source>
        <translation>此虚拟集群没有 GPU。</translation>
    </message>
    <message>
        <source>Virtual cluster</source>
        <translation>虚拟集群</translation>
    </message>
    <message>
        <source>What trials run in; the experiment&apos;s, or else the platform&apos;s. It needs bash.</source>
        <translation>试验在其中运行的镜像；优先用实验的，否则用平台的。镜像需要 bash。</translation>
    </message>
    <message>
        <source>Where a trial sees it, for example /mnt/storage.</source>
        <translation>试验看到它的位置，例如 /mnt/storage。</translation>
    </message>
    <message>
        <source>Whose GPUs the trials use; by default &quot;default&quot;.</source>
        <translation>试验使用谁的 GPU；默认为“default”。</translation>
    </message>
    <message>
        <source>With hived: prod, test, or oppo for what others may take away.</source>
        <translation>使用 hived 时：prod、test，或可被他人抢占的 oppo。</translation>
    </message>
    <message>
        <source>Your name in OpenPAI.</source>
        <translation>您在 OpenPAI 中的名称。</translation>
    </message>
    <message>
        <source>and openpaiConfigFile are both given: one is enough.</source>
        <translation>和 openpaiConfigFile 同时给出：一个就够了。</translation>
    </message>
    <message>
        <source>as %1</source>
        <translation>身份为 %1</translation>
    </message>
    <message>
        <source>containerStorageMountPoint: &quot;%1&quot; cannot stand in a command of OpenPAI.</source>
        <translation>containerStorageMountPoint：“%1”不能出现在 OpenPAI 的命令中。</translation>
    </message>
    <message>
        <source>dockerImage: OpenPAI runs trials in containers; name an image.</source>
        <translation>dockerImage：OpenPAI 在容器中运行试验；请填写镜像。</translation>
    </message>
    <message>
        <source>has the commands that run; the trial&apos;s own command is not used, as with NNI.</source>
        <translation>包含要运行的命令；与 NNI 一样，不使用试验自己的命令。</translation>
    </message>
    <message>
        <source>is %1, which only files of the v1 schema name.</source>
        <translation>是 %1，只有 v1 格式的文件才能使用它。</translation>
    </message>
    <message>
        <source>is no job of OpenPAI: a role with commands is missing in taskRoles.</source>
        <translation>不是 OpenPAI 的作业：taskRoles 中缺少带 commands 的角色。</translation>
    </message>
    <message>
        <source>is no job: %1</source>
        <translation>不是作业：%1</translation>
    </message>
    <message>
        <source>it waits for a place in the virtual cluster &quot;%1&quot;</source>
        <translation>正在等待虚拟集群“%1”中的位置</translation>
    </message>
    <message>
        <source>it was stopped in OpenPAI</source>
        <translation>已在 OpenPAI 中被停止</translation>
    </message>
    <message>
        <source>its container was killed, often because it used more memory than its job had asked for</source>
        <translation>容器被杀死，通常是因为使用的内存超过了作业申请的量</translation>
    </message>
    <message>
        <source>its job ended with exit code %1, and left no word in the folder: do the nodes see it at the same path?</source>
        <translation>作业以退出码 %1 结束，没有在文件夹中留下记录：节点能在相同路径看到它吗？</translation>
    </message>
    <message>
        <source>openpaiConfig: a job has taskRoles, with at least one role.</source>
        <translation>openpaiConfig：作业要有 taskRoles，且至少有一个角色。</translation>
    </message>
    <message>
        <source>openpaiConfig: a job is an object with protocolVersion and taskRoles.</source>
        <translation>openpaiConfig：作业是带 protocolVersion 和 taskRoles 的对象。</translation>
    </message>
    <message>
        <source>openpaiConfig: the job has %1 KiB, and OpenPAI takes at most 100. Put long commands into a file of the code.</source>
        <translation>openpaiConfig：作业有 %1 KiB，而 OpenPAI 最多接受 100。请将很长的命令放到代码的文件中。</translation>
    </message>
    <message>
        <source>openpaiConfig: the role &quot;%1&quot; has no list of commands.</source>
        <translation>openpaiConfig：角色“%1”没有 commands 列表。</translation>
    </message>
    <message>
        <source>or passWord is needed, and not both.</source>
        <translation>或 passWord 需要给出一个，不能两个都给。</translation>
    </message>
    <message>
        <source>token: OpenPAI needs a token, here or in a file (tokenFile), or your password.</source>
        <translation>token：OpenPAI 需要令牌，填在这里或放在文件中（tokenFile），或者您的密码。</translation>
    </message>
    <message>
        <source>tokenFile: %1 cannot be read (%2).</source>
        <translation>tokenFile：无法读取 %1（%2）。</translation>
    </message>
    <message>
        <source>tokenFile: %1 holds no token.</source>
        <translation>tokenFile：%1 中没有令牌。</translation>
    </message>
    <message>
        <source>is paiYarn, which spoke with OpenPAI up to 0.14: later ones have not got that interface any more. Write pai, with paiConfig and the storage that trials share.</source>
        <translation>是 paiYarn，它用于 OpenPAI 0.14 及更早版本：之后的版本不再有该接口。请改写为 pai，并给出 paiConfig 和试验共享的存储。</translation>
    </message>
    <message>
        <source>trialMemorySize: OpenPAI wants to know how much memory a trial may use.</source>
        <translation>trialMemorySize：OpenPAI 需要知道试验可以使用多少内存。</translation>
    </message>
    <message>
        <source>%1: DLTS needs it, here or in the service&apos;s environment (%2).</source>
        <translation>%1：DLTS 需要它，请填在这里或服务的环境变量（%2）中。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be a path below the share, without / in front and without .. in it.</source>
        <translation>%1：“%2”必须是共享目录之下的路径，开头没有 /，其中没有 ..。</translation>
    </message>
    <message>
        <source>%1: free GPUs: %2</source>
        <translation>%1：空闲 GPU：%2</translation>
    </message>
    <message>
        <source>%1: no GPU</source>
        <translation>%1：没有 GPU</translation>
    </message>
    <message>
        <source>%1: this is no password of DLTS, which has 32 digits (0-9, a-f) and stands on your user page in the dashboard. It is not the one that you log in with.</source>
        <translation>%1：这不是 DLTS 的密码。DLTS 的密码有 32 位（0-9、a-f），显示在仪表板的用户页面上，不是您登录时使用的密码。</translation>
    </message>
    <message>
        <source>As the cluster names it, for example P40; by default the first one of the team.</source>
        <translation>集群使用的名称，例如 P40；默认为团队的第一种。</translation>
    </message>
    <message>
        <source>Choose a team and a cluster of yours: %1.</source>
        <translation>请选择您所在的团队和集群：%1。</translation>
    </message>
    <message>
        <source>Choose one that the team has, or leave it empty for the first one.</source>
        <translation>请选择团队拥有的型号，或留空以使用第一种。</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>DLTS</source>
        <translation>DLTS</translation>
    </message>
    <message>
        <source>DLTS answered the submission with neither a job nor an error.</source>
        <translation>DLTS 对提交的应答中既没有作业，也没有错误。</translation>
    </message>
    <message>
        <source>DLTS answered with another job than the one that was asked for.</source>
        <translation>DLTS 返回的不是所查询的作业。</translation>
    </message>
    <message>
        <source>DLTS answered with another team than the one that was asked for.</source>
        <translation>DLTS 返回的不是所查询的团队。</translation>
    </message>
    <message>
        <source>DLTS answers with an error of its own (HTTP %1).</source>
        <translation>DLTS 返回了它自身的错误（HTTP %1）。</translation>
    </message>
    <message>
        <source>DLTS could not start its job, and does not say why</source>
        <translation>DLTS 无法启动其作业，且没有说明原因</translation>
    </message>
    <message>
        <source>DLTS did not end the job, though it has not ended.</source>
        <translation>作业尚未结束，但 DLTS 没有终止它。</translation>
    </message>
    <message>
        <source>DLTS did not say whether it ends the job.</source>
        <translation>DLTS 没有说明它是否会终止该作业。</translation>
    </message>
    <message>
        <source>DLTS does not accept the email and password. Enter the password of your user page in the dashboard (32 digits), not the one that you log in with.</source>
        <translation>DLTS 不接受该邮箱和密码。请输入仪表板用户页面上的密码（32 位），而不是您登录时使用的密码。</translation>
    </message>
    <message>
        <source>DLTS does not allow this to you (any more), or has given you another password, which stands on your user page in the dashboard.</source>
        <translation>DLTS 不（再）允许您这样做，或者已为您更换密码；新密码显示在仪表板的用户页面上。</translation>
    </message>
    <message>
        <source>DLTS gave the job another id than it was told to, so that it could not be found again: it was ended.</source>
        <translation>DLTS 给作业的 ID 与指定的不同，因此无法再找到它：该作业已被终止。</translation>
    </message>
    <message>
        <source>DLTS knows no such job of yours.</source>
        <translation>DLTS 没有您的这个作业。</translation>
    </message>
    <message>
        <source>DLTS knows nothing at this address (HTTP 404).</source>
        <translation>DLTS 在此地址没有任何内容（HTTP 404）。</translation>
    </message>
    <message>
        <source>DLTS refuses it (HTTP %1).</source>
        <translation>DLTS 拒绝了它（HTTP %1）。</translation>
    </message>
    <message>
        <source>DLTS refuses it: %1</source>
        <translation>DLTS 拒绝了它：%1</translation>
    </message>
    <message>
        <source>DLTS takes no more requests for now (HTTP 429).</source>
        <translation>DLTS 目前不再接受请求（HTTP 429）。</translation>
    </message>
    <message>
        <source>DLTS: %1</source>
        <translation>DLTS：%1</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Email</source>
        <translation>邮箱</translation>
    </message>
    <message>
        <source>Enter the address of the dashboard of DLTS, as your browser has it, with https:// or http://.</source>
        <translation>请输入 DLTS 仪表板的地址，与浏览器中的一致，以 https:// 或 http:// 开头。</translation>
    </message>
    <message>
        <source>Enter your email and the password of your user page in the dashboard.</source>
        <translation>请输入您的邮箱，以及仪表板用户页面上的密码。</translation>
    </message>
    <message>
        <source>File with the password</source>
        <translation>密码文件</translation>
    </message>
    <message>
        <source>GPU model</source>
        <translation>GPU 型号</translation>
    </message>
    <message>
        <source>How often jobs are listed.</source>
        <translation>列出作业的频率。</translation>
    </message>
    <message>
        <source>Instead of the password; it is read again when the password is refused.</source>
        <translation>代替密码；密码被拒绝时会重新读取该文件。</translation>
    </message>
    <message>
        <source>Look at the job in the dashboard. The share must be the same folder there (containerStorageMountPoint) and here, and the image needs bash.</source>
        <translation>请在仪表板中查看该作业。共享目录在那里（containerStorageMountPoint）和这里必须是同一个文件夹，并且镜像需要 bash。</translation>
    </message>
    <message>
        <source>May be taken away</source>
        <translation>可被抢占</translation>
    </message>
    <message>
        <source>Mount the share on this computer, writable for you, and name the folder (localStorageMountPoint).</source>
        <translation>请在本机挂载该共享目录，使您可以写入，并填写该文件夹（localStorageMountPoint）。</translation>
    </message>
    <message>
        <source>Name the GPU model in the settings (gpuType), as your administrator calls it; trials without GPUs need none.</source>
        <translation>请在设置中填写 GPU 型号（gpuType），使用管理员所用的名称；不使用 GPU 的试验不需要。</translation>
    </message>
    <message>
        <source>Of the dashboard, for example https://dltshub.example.com. DLTS takes the password in addresses: over plain http whoever listens gets it.</source>
        <translation>仪表板的地址，例如 https://dltshub.example.com。DLTS 的密码包含在地址中：使用普通 http 时，监听者都能得到它。</translation>
    </message>
    <message>
        <source>Share here</source>
        <translation>本机上的共享目录</translation>
    </message>
    <message>
        <source>Share in containers</source>
        <translation>容器中的共享目录</translation>
    </message>
    <message>
        <source>Something else than DLTS answered. Is the address that of its dashboard?</source>
        <translation>应答的不是 DLTS。该地址是它的仪表板地址吗？</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>团队</translation>
    </message>
    <message>
        <source>Team and cluster</source>
        <translation>团队和集群</translation>
    </message>
    <message>
        <source>The 32 digits of your user page in the dashboard, not the password that you log in with. Empty: DLTS_JOB_TOKEN of the service&apos;s environment.</source>
        <translation>仪表板用户页面上的 32 位密码，不是您登录时使用的密码。留空：使用服务环境变量 DLTS_JOB_TOKEN。</translation>
    </message>
    <message>
        <source>The cluster behind the dashboard of DLTS did not give its list of jobs.</source>
        <translation>DLTS 仪表板背后的集群没有给出作业列表。</translation>
    </message>
    <message>
        <source>The cluster behind the dashboard of DLTS does not answer (HTTP 502).</source>
        <translation>DLTS 仪表板背后的集群没有应答（HTTP 502）。</translation>
    </message>
    <message>
        <source>The cluster has no such team, or you are not in it (a new member may have to wait for half an hour).</source>
        <translation>集群没有这个团队，或者您不是其成员（新成员可能需要等待半小时）。</translation>
    </message>
    <message>
        <source>The dashboard&apos;s name of it; .default is its first one.</source>
        <translation>集群在仪表板中的名称；.default 是其中第一个。</translation>
    </message>
    <message>
        <source>The team has no GPU on this cluster.</source>
        <translation>该团队在此集群上没有 GPU。</translation>
    </message>
    <message>
        <source>This DLTS has no such cluster.</source>
        <translation>此 DLTS 没有这个集群。</translation>
    </message>
    <message>
        <source>Trials also use GPUs beyond the quota, without approval; the cluster may take them away, and starts the trial again later.</source>
        <translation>试验也可使用配额之外的 GPU，无需批准；集群可能收回它们，之后会重新启动试验。</translation>
    </message>
    <message>
        <source>What a job sees as /data, on the cluster&apos;s data share; empty: nothing is mounted there.</source>
        <translation>作业中 /data 所对应的、位于集群数据共享目录上的文件夹；留空：不挂载任何内容。</translation>
    </message>
    <message>
        <source>What a job sees as /work, below your own folder of the cluster&apos;s work share; empty: that folder.</source>
        <translation>作业中 /work 所对应的、位于集群工作共享目录中您自己文件夹之下的文件夹；留空：即您自己的文件夹。</translation>
    </message>
    <message>
        <source>Where a job sees the same folder, for example /home/you or /work.</source>
        <translation>作业看到同一文件夹的位置，例如 /home/you 或 /work。</translation>
    </message>
    <message>
        <source>Where the share with your home or work folder is mounted on the service&apos;s computer, as an absolute path.</source>
        <translation>包含您的主目录或工作目录的共享目录在服务所在计算机上的挂载位置，绝对路径。</translation>
    </message>
    <message>
        <source>Whose GPUs the trials use (virtual cluster). Empty: DLWS_VC_NAME of the service&apos;s environment, as in a job of DLTS.</source>
        <translation>试验使用谁的 GPU（虚拟集群）。留空：使用服务环境变量 DLWS_VC_NAME，DLTS 的作业中即有此变量。</translation>
    </message>
    <message>
        <source>Work folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>You are in no team of this DLTS: ask its administrator.</source>
        <translation>您不在此 DLTS 的任何团队中：请联系其管理员。</translation>
    </message>
    <message>
        <source>Your account. Empty: DLWS_USER_EMAIL of the service&apos;s environment.</source>
        <translation>您的账户。留空：使用服务环境变量 DLWS_USER_EMAIL。</translation>
    </message>
    <message>
        <source>containerStorageMountPoint: &quot;%1&quot; cannot stand in a command of DLTS.</source>
        <translation>containerStorageMountPoint：“%1”不能出现在 DLTS 的命令中。</translation>
    </message>
    <message>
        <source>dockerImage: DLTS runs trials in containers; name an image.</source>
        <translation>dockerImage：DLTS 在容器中运行试验；请填写镜像。</translation>
    </message>
    <message>
        <source>gpuType: the team &quot;%1&quot; names no GPU model, so that one must be named here.</source>
        <translation>gpuType：团队“%1”没有给出 GPU 型号，因此必须在此填写。</translation>
    </message>
    <message>
        <source>is not given: trials are kept in %1, which must be the same folder in jobs, as with NNI. Else give it and %2.</source>
        <translation>未给出：试验保存在 %1 中，与 NNI 一样，它在作业中必须是同一个文件夹。否则请给出它和 %2。</translation>
    </message>
    <message>
        <source>it used more memory than its job may</source>
        <translation>使用的内存超过了作业的允许量</translation>
    </message>
    <message>
        <source>it waits for DLTS to approve it</source>
        <translation>正在等待 DLTS 批准</translation>
    </message>
    <message>
        <source>it waits for a place in the team &quot;%1&quot;</source>
        <translation>正在等待团队“%1”中的位置</translation>
    </message>
    <message>
        <source>it was ended in DLTS</source>
        <translation>已在 DLTS 中被终止</translation>
    </message>
    <message>
        <source>it was paused in DLTS, and waits for somebody to resume it there</source>
        <translation>已在 DLTS 中被暂停，正在等待有人在那里恢复它</translation>
    </message>
    <message>
        <source>password: DLTS needs the password of your user page in the dashboard, here, in a file (passwordFile) or in the service&apos;s environment (DLTS_JOB_TOKEN).</source>
        <translation>password：DLTS 需要仪表板用户页面上的密码，请填在这里、放在文件中（passwordFile），或放在服务的环境变量（DLTS_JOB_TOKEN）中。</translation>
    </message>
    <message>
        <source>passwordFile: %1 cannot be read (%2).</source>
        <translation>passwordFile：无法读取 %1（%2）。</translation>
    </message>
    <message>
        <source>the team has no &quot;%1&quot;; it has %2</source>
        <translation>该团队没有“%1”；它有 %2</translation>
    </message>
    <message>
        <source>the team names none, so that trials cannot ask for GPUs</source>
        <translation>该团队没有给出型号，因此试验不能申请 GPU</translation>
    </message>
    <message>
        <source>openpaiConfig: %1 is no object.</source>
        <translation>openpaiConfig：%1 不是对象。</translation>
    </message>
    <message>
        <source>%1 GB free in %2</source>
        <translation>%2 中空闲 %1 GB</translation>
    </message>
    <message>
        <source>%1 of %2 GPUs are free in %3</source>
        <translation>%3 中的 %2 个 GPU 有 %1 个空闲</translation>
    </message>
    <message>
        <source>OpenPAI lists more jobs than there can be.</source>
        <translation>OpenPAI 列出的作业多得不合理。</translation>
    </message>
    <message>
        <source>%1 GPUs, of which %2 are free; %3 are shown.</source>
        <translation>%1 块 GPU，其中 %2 块空闲；显示 %3 块。</translation>
    </message>
    <message>
        <source>%1 of %2 nodes run jobs, it gets up to %3</source>
        <translation>%2 个节点中有 %1 个在运行作业，最多可有 %3 个</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>AZURE_FEDERATED_TOKEN_FILE: %1 cannot be read (%2).</source>
        <translation>AZURE_FEDERATED_TOKEN_FILE：无法读取 %1（%2）。</translation>
    </message>
    <message>
        <source>Address of Entra ID</source>
        <translation>Entra ID 的地址</translation>
    </message>
    <message>
        <source>Address of Resource Manager</source>
        <translation>资源管理器的地址</translation>
    </message>
    <message>
        <source>After so many seconds Azure ends the trial; empty: no limit.</source>
        <translation>超过这么多秒后 Azure 结束试验；留空：不限制。</translation>
    </message>
    <message>
        <source>Another cluster of the workspace than the platform&apos;s.</source>
        <translation>工作区中不同于平台所选的另一个集群。</translation>
    </message>
    <message>
        <source>Application</source>
        <translation>应用程序</translation>
    </message>
    <message>
        <source>Ask an owner of the workspace for the role &quot;AzureML Data Scientist&quot; there (Access control in the portal), which may take some minutes to count.</source>
        <translation>请向工作区的所有者申请该工作区的角色“AzureML Data Scientist”（门户中的访问控制），可能要过几分钟才生效。</translation>
    </message>
    <message>
        <source>Azure Machine Learning</source>
        <translation>Azure 机器学习</translation>
    </message>
    <message>
        <source>Azure answered with another job than the one that was asked for.</source>
        <translation>Azure 返回的作业不是所询问的那个。</translation>
    </message>
    <message>
        <source>Azure answered with something else than a job.</source>
        <translation>Azure 返回的不是作业。</translation>
    </message>
    <message>
        <source>Azure answers with an error of its own (HTTP %1).</source>
        <translation>Azure 返回了它自身的错误（HTTP %1）。</translation>
    </message>
    <message>
        <source>Azure answers with an error of its own: %1</source>
        <translation>Azure 返回了它自身的错误：%1</translation>
    </message>
    <message>
        <source>Azure does not accept the token, and the login gives the same one again. Log in anew.</source>
        <translation>Azure 不接受该令牌，而登录又给出了同一个令牌。请重新登录。</translation>
    </message>
    <message>
        <source>Azure does not accept the token: it has expired, or is of another tenant or cloud.</source>
        <translation>Azure 不接受该令牌：它已过期，或属于另一个租户或云。</translation>
    </message>
    <message>
        <source>Azure does not permit it: %1</source>
        <translation>Azure 不允许这样做：%1</translation>
    </message>
    <message>
        <source>Azure does not permit this to the account of the platform.</source>
        <translation>Azure 不允许平台的帐户这样做。</translation>
    </message>
    <message>
        <source>Azure does not say which GPUs its nodes have</source>
        <translation>Azure 没有说明其节点有哪些 GPU</translation>
    </message>
    <message>
        <source>Azure gives no place for the code</source>
        <translation>Azure 没有给出存放代码的位置</translation>
    </message>
    <message>
        <source>Azure has lost contact with its node</source>
        <translation>Azure 与它的节点失去了联系</translation>
    </message>
    <message>
        <source>Azure knows no run of this name.</source>
        <translation>Azure 没有这个名称的运行。</translation>
    </message>
    <message>
        <source>Azure lists more jobs than there can be.</source>
        <translation>Azure 列出的作业多得不合理。</translation>
    </message>
    <message>
        <source>Azure named a storage whose address cannot be used.</source>
        <translation>Azure 给出的存储地址无法使用。</translation>
    </message>
    <message>
        <source>Azure named an address of the region that is not safe (no https).</source>
        <translation>Azure 给出的区域地址不安全（不是 https）。</translation>
    </message>
    <message>
        <source>Azure named no place to upload code to.</source>
        <translation>Azure 没有给出上传代码的位置。</translation>
    </message>
    <message>
        <source>Azure prepares its container image</source>
        <translation>Azure 正在准备它的容器镜像</translation>
    </message>
    <message>
        <source>Azure refuses it (%1).</source>
        <translation>Azure 拒绝了它（%1）。</translation>
    </message>
    <message>
        <source>Azure starts it on a node of &quot;%1&quot;</source>
        <translation>Azure 正在“%1”的一个节点上启动它</translation>
    </message>
    <message>
        <source>Azure takes no more requests for now: its limit of requests is reached.</source>
        <translation>Azure 暂时不再接受请求：已达到请求数上限。</translation>
    </message>
    <message>
        <source>Azure&apos;s storage answers with an error (%1).</source>
        <translation>Azure 的存储返回了错误（%1）。</translation>
    </message>
    <message>
        <source>Azure&apos;s storage does not accept the address&apos;s signature (%1).</source>
        <translation>Azure 的存储不接受该地址的签名（%1）。</translation>
    </message>
    <message>
        <source>Azure&apos;s storage has no such file (%1).</source>
        <translation>Azure 的存储中没有这个文件（%1）。</translation>
    </message>
    <message>
        <source>Azure: %1</source>
        <translation>Azure：%1</translation>
    </message>
    <message>
        <source>Cannot read %1 (%2).</source>
        <translation>无法读取 %1（%2）。</translation>
    </message>
    <message>
        <source>Check again while the cluster has an idle node.</source>
        <translation>请在集群有空闲节点时再检查一次。</translation>
    </message>
    <message>
        <source>Choose a cluster of the workspace from the list of the form; start it in the studio where it is stopped, and look at the quota of its size.</source>
        <translation>请从表单的列表中选择工作区的一个集群；如果它已停止，请在工作室中启动它，并查看其规格的配额。</translation>
    </message>
    <message>
        <source>Choose subscription, resource group and workspace from the lists of the form.</source>
        <translation>请从表单的列表中选择订阅、资源组和工作区。</translation>
    </message>
    <message>
        <source>Cloud</source>
        <translation>云</translation>
    </message>
    <message>
        <source>Code in place runs only on this computer; nodes of Azure do not see it. Use a snapshot (codeMode).</source>
        <translation>就地代码只能在本机运行；Azure 的节点看不到它。请使用快照（codeMode）。</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算目标</translation>
    </message>
    <message>
        <source>Entra ID does not accept the application&apos;s secret.</source>
        <translation>Entra ID 不接受应用程序的机密。</translation>
    </message>
    <message>
        <source>Entra ID does not accept the application&apos;s secret: %1</source>
        <translation>Entra ID 不接受应用程序的机密：%1</translation>
    </message>
    <message>
        <source>Entra ID gave no code to enter. Is the login&apos;s address that of Entra ID?</source>
        <translation>Entra ID 没有给出要输入的代码。登录地址是 Entra ID 的地址吗？</translation>
    </message>
    <message>
        <source>Entra ID gives a token</source>
        <translation>Entra ID 给出了令牌</translation>
    </message>
    <message>
        <source>Entra ID refuses the login (%1).</source>
        <translation>Entra ID 拒绝登录（%1）。</translation>
    </message>
    <message>
        <source>Entra ID refuses the login: %1</source>
        <translation>Entra ID 拒绝登录：%1</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Experiment in the studio</source>
        <translation>工作室中的实验</translation>
    </message>
    <message>
        <source>How often jobs are listed. Azure answers some reads a second for each account and subscription.</source>
        <translation>多久列出一次作业。Azure 每秒为每个帐户和订阅应答若干次读取。</translation>
    </message>
    <message>
        <source>Id or domain of the organization. Empty: that of the login; an application needs it.</source>
        <translation>组织的 ID 或域名。留空：登录所属的组织；应用程序必须填写。</translation>
    </message>
    <message>
        <source>In which the workspace is.</source>
        <translation>工作区所在的资源组。</translation>
    </message>
    <message>
        <source>Instance type</source>
        <translation>实例类型</translation>
    </message>
    <message>
        <source>Instead of an image: an environment of the workspace as azureml:NAME:VERSION, or one of Azure&apos;s own as azureml://registries/azureml/environments/NAME/versions/VERSION.</source>
        <translation>代替镜像：工作区的环境，写作 azureml:NAME:VERSION；或 Azure 自带的环境，写作 azureml://registries/azureml/environments/NAME/versions/VERSION。</translation>
    </message>
    <message>
        <source>Its job has ended, and Azure has not stored its log yet.</source>
        <translation>它的作业已结束，而 Azure 还没有存好它的日志。</translation>
    </message>
    <message>
        <source>Log in by</source>
        <translation>登录方式</translation>
    </message>
    <message>
        <source>Log in to Azure: open the page and enter the code there.</source>
        <translation>登录 Azure：打开该页面并在那里输入代码。</translation>
    </message>
    <message>
        <source>Login</source>
        <translation>登录凭据</translation>
    </message>
    <message>
        <source>Look at the job in the studio. The image needs sh, and must be one that the workspace may pull.</source>
        <translation>请在工作室中查看该作业。镜像需要有 sh，并且必须是工作区可以拉取的。</translation>
    </message>
    <message>
        <source>Of /dev/shm, for example 8 GB, which PyTorch&apos;s data loaders want; by default 2 GB.</source>
        <translation>/dev/shm 的大小，例如 8 GB，PyTorch 的数据加载器需要它；默认 2 GB。</translation>
    </message>
    <message>
        <source>Of Azure Machine Learning.</source>
        <translation>Azure 机器学习的工作区。</translation>
    </message>
    <message>
        <source>Of a cloud that is none of these; by default https://login.microsoftonline.com.</source>
        <translation>用于不在其列的云；默认 https://login.microsoftonline.com。</translation>
    </message>
    <message>
        <source>Of a cloud that is none of these; by default https://management.azure.com.</source>
        <translation>用于不在其列的云；默认 https://management.azure.com。</translation>
    </message>
    <message>
        <source>On a compute with several (Kubernetes): which one a trial takes.</source>
        <translation>计算目标有多种（Kubernetes）时：试验使用哪一种。</translation>
    </message>
    <message>
        <source>One of the service principal&apos;s client secrets.</source>
        <translation>服务主体的一个客户端机密。</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Resource group</source>
        <translation>资源组</translation>
    </message>
    <message>
        <source>Run &quot;az login&quot; as the account of the service, or choose another way to log in (auth).</source>
        <translation>请以服务的帐户运行“az login”，或选择另一种登录方式（auth）。</translation>
    </message>
    <message>
        <source>Secret of the application</source>
        <translation>应用程序的机密</translation>
    </message>
    <message>
        <source>Something else than Azure Machine Learning answered. Is the address right?</source>
        <translation>应答的不是 Azure 机器学习。地址正确吗？</translation>
    </message>
    <message>
        <source>Subscription</source>
        <translation>订阅</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>租户</translation>
    </message>
    <message>
        <source>The address of the region cannot be used</source>
        <translation>区域的地址无法使用</translation>
    </message>
    <message>
        <source>The application&apos;s (client&apos;s) id: of a service principal, or of one of several managed identities. For a login with a code Azure&apos;s own command line is taken.</source>
        <translation>应用程序（客户端）的 ID：服务主体的，或多个托管标识之一的。用代码登录时采用 Azure 自己的命令行。</translation>
    </message>
    <message>
        <source>The cluster of the workspace on whose nodes trials run, one on each.</source>
        <translation>试验在其节点上运行的工作区集群，每个节点一个试验。</translation>
    </message>
    <message>
        <source>The code cannot be uploaded to Azure</source>
        <translation>无法把代码上传到 Azure</translation>
    </message>
    <message>
        <source>The code was not entered in time. Log in once more.</source>
        <translation>没有及时输入代码。请再登录一次。</translation>
    </message>
    <message>
        <source>The command and the parameters have %1 KiB together, and a job of Azure ML carries %2. Put long ones into a file of the code.</source>
        <translation>命令和参数合计 %1 KiB，而 Azure ML 的作业只能携带 %2 KiB。请把长的内容放进代码中的文件。</translation>
    </message>
    <message>
        <source>The environment of the image cannot be made in the workspace</source>
        <translation>无法在工作区中建立该镜像的环境</translation>
    </message>
    <message>
        <source>The file changed while it was uploaded.</source>
        <translation>文件在上传过程中发生了变化。</translation>
    </message>
    <message>
        <source>The file is larger than a blob can be.</source>
        <translation>文件超过了 blob 的最大大小。</translation>
    </message>
    <message>
        <source>The login answers with an error of its own (HTTP %1).</source>
        <translation>登录服务返回了它自身的错误（HTTP %1）。</translation>
    </message>
    <message>
        <source>The login of this platform is not good any more: %1</source>
        <translation>此平台的登录已失效：%1</translation>
    </message>
    <message>
        <source>The login of this platform is not good any more: log in once more.</source>
        <translation>此平台的登录已失效：请再登录一次。</translation>
    </message>
    <message>
        <source>The login was answered without a token. Is the address that of Entra ID?</source>
        <translation>登录的应答中没有令牌。该地址是 Entra ID 的地址吗？</translation>
    </message>
    <message>
        <source>The login was declined.</source>
        <translation>登录被拒绝。</translation>
    </message>
    <message>
        <source>The login was refused (HTTP %1). Is the address that of Entra ID?</source>
        <translation>登录被拒绝（HTTP %1）。该地址是 Entra ID 的地址吗？</translation>
    </message>
    <message>
        <source>The program az gave no token (exit code %1). Run &quot;az login&quot; as the account of the service.</source>
        <translation>程序 az 没有给出令牌（退出码 %1）。请以服务的帐户运行“az login”。</translation>
    </message>
    <message>
        <source>The program az gave no token in time.</source>
        <translation>程序 az 没有及时给出令牌。</translation>
    </message>
    <message>
        <source>The program az gave no token: %1 Run &quot;az login&quot; as the account of the service.</source>
        <translation>程序 az 没有给出令牌：%1 请以服务的帐户运行“az login”。</translation>
    </message>
    <message>
        <source>The program az is not there. Install Azure&apos;s command line on the service&apos;s computer, or choose another way to log in (auth).</source>
        <translation>没有程序 az。请在服务所在的计算机上安装 Azure 命令行，或选择另一种登录方式（auth）。</translation>
    </message>
    <message>
        <source>The program az printed no token. Run &quot;az login&quot;, and look what &quot;az account get-access-token&quot; prints.</source>
        <translation>程序 az 没有输出令牌。请运行“az login”，并查看“az account get-access-token”的输出。</translation>
    </message>
    <message>
        <source>The public one, or that of China or of the government of the United States.</source>
        <translation>公有云，或中国云，或美国政府云。</translation>
    </message>
    <message>
        <source>The region of the workspace is not known yet.</source>
        <translation>工作区的区域尚不清楚。</translation>
    </message>
    <message>
        <source>The service must reach the region&apos;s address (*.api.azureml.ms), for logs and ends: a firewall or a private network may prevent it.</source>
        <translation>服务必须能访问区域的地址（*.api.azureml.ms），以获取日志和结束状态：防火墙或专用网络可能会阻止它。</translation>
    </message>
    <message>
        <source>The service must reach the workspace&apos;s storage account (*.blob.core.windows.net).</source>
        <translation>服务必须能访问工作区的存储帐户（*.blob.core.windows.net）。</translation>
    </message>
    <message>
        <source>The storage does not say how long the file is.</source>
        <translation>存储没有说明文件有多长。</translation>
    </message>
    <message>
        <source>The subscription&apos;s id.</source>
        <translation>订阅的 ID。</translation>
    </message>
    <message>
        <source>The workspace has no job of trial %1, and none of its log was kept.</source>
        <translation>工作区中没有试验 %1 的作业，也没有保留它的日志。</translation>
    </message>
    <message>
        <source>There is no log &quot;%1&quot; of this job.</source>
        <translation>此作业没有日志“%1”。</translation>
    </message>
    <message>
        <source>There is no trialkeeper-pod for x86_64 (%1): reinstall Trialdeck.</source>
        <translation>没有用于 x86_64 的 trialkeeper-pod（%1）：请重新安装 Trialdeck。</translation>
    </message>
    <message>
        <source>There is nothing to run the program az with.</source>
        <translation>没有可用来运行程序 az 的途径。</translation>
    </message>
    <message>
        <source>This computer has no managed identity of Azure that answers</source>
        <translation>此计算机没有可应答的 Azure 托管标识</translation>
    </message>
    <message>
        <source>This computer has no managed identity of Azure that answers.</source>
        <translation>此计算机没有可应答的 Azure 托管标识。</translation>
    </message>
    <message>
        <source>Under which the studio shows the runs; by default trialdeck_ and the experiment&apos;s id.</source>
        <translation>工作室在此名称下显示运行；默认是 trialdeck_ 加上实验的 ID。</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>上传</translation>
    </message>
    <message>
        <source>What a trial writes into its output folder lies in the workspace: the studio shows it with the job, under Outputs.</source>
        <translation>试验写入其输出文件夹的内容在工作区中：工作室在该作业的“输出”下显示它。</translation>
    </message>
    <message>
        <source>What the login with a code gave; kept here by the service, so that it asks you once.</source>
        <translation>用代码登录所得的凭据；由服务保存在这里，这样只会询问您一次。</translation>
    </message>
    <message>
        <source>What trials run in; the experiment&apos;s, or else the platform&apos;s. It needs sh, tar and gzip.</source>
        <translation>试验在其中运行的镜像；优先用实验的，否则用平台的。它需要有 sh、tar 和 gzip。</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>a job ran on a node</source>
        <translation>一个作业在节点上运行过了</translation>
    </message>
    <message>
        <source>auth: the environment variable %1 is no address.</source>
        <translation>auth：环境变量 %1 不是地址。</translation>
    </message>
    <message>
        <source>auth: the service&apos;s environment needs AZURE_TENANT_ID, AZURE_CLIENT_ID and either AZURE_CLIENT_SECRET or AZURE_FEDERATED_TOKEN_FILE.</source>
        <translation>auth：服务的环境需要 AZURE_TENANT_ID、AZURE_CLIENT_ID，以及 AZURE_CLIENT_SECRET 或 AZURE_FEDERATED_TOKEN_FILE。</translation>
    </message>
    <message>
        <source>auth: there is no &quot;%1&quot;; there are %2.</source>
        <translation>auth：没有“%1”；可用的有 %2。</translation>
    </message>
    <message>
        <source>azcli: the login of the program az on the service&apos;s computer. devicecode: you enter a code in a browser. serviceprincipal: an application with a secret. managedidentity: that of the machine in Azure that the service runs on. environment: AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET of the service.</source>
        <translation>azcli：服务所在计算机上程序 az 的登录。devicecode：您在浏览器中输入代码。serviceprincipal：带机密的应用程序。managedidentity：服务所在的 Azure 计算机的标识。environment：服务的 AZURE_TENANT_ID、AZURE_CLIENT_ID 和 AZURE_CLIENT_SECRET。</translation>
    </message>
    <message>
        <source>clientId: enter the id of the application (client).</source>
        <translation>clientId：请输入应用程序（客户端）的 ID。</translation>
    </message>
    <message>
        <source>clientSecret: enter a secret of the application.</source>
        <translation>clientSecret：请输入应用程序的一个机密。</translation>
    </message>
    <message>
        <source>cloud: there is no &quot;%1&quot;; there are %2.</source>
        <translation>cloud：没有“%1”；可用的有 %2。</translation>
    </message>
    <message>
        <source>computeTarget: &quot;%1&quot; is no name of a compute.</source>
        <translation>computeTarget：“%1”不是计算目标的名称。</translation>
    </message>
    <message>
        <source>dockerImage: Azure ML runs trials in containers; name an image, or an environment of the workspace.</source>
        <translation>dockerImage：Azure ML 在容器中运行试验；请指定镜像，或工作区的环境。</translation>
    </message>
    <message>
        <source>environment: &quot;%1&quot; is none; write azureml:NAME:VERSION, or the whole id as the studio shows it.</source>
        <translation>environment：“%1”不是环境；请写作 azureml:NAME:VERSION，或工作室显示的完整 ID。</translation>
    </message>
    <message>
        <source>environment: there is an image, too; one of the two is enough.</source>
        <translation>environment：同时还指定了镜像；两者只需其一。</translation>
    </message>
    <message>
        <source>experimentName: &quot;%1&quot; cannot be; letters, digits, - and _ can.</source>
        <translation>experimentName：不能是“%1”；只能用字母、数字、- 和 _。</translation>
    </message>
    <message>
        <source>has no effect: a job has its GPUs for itself.</source>
        <translation>不起作用：作业独占它的 GPU。</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1</translation>
    </message>
    <message>
        <source>it has no nodes now, and gets up to %1 when jobs come, which takes minutes</source>
        <translation>它现在没有节点，有作业时最多可有 %1 个，这需要几分钟</translation>
    </message>
    <message>
        <source>it is paused in Azure</source>
        <translation>它在 Azure 中已暂停</translation>
    </message>
    <message>
        <source>it waits for a node of &quot;%1&quot;</source>
        <translation>它在等待“%1”的节点</translation>
    </message>
    <message>
        <source>it waits for a node of &quot;%1&quot;, which has none now: Azure needs some minutes for the first one</source>
        <translation>它在等待“%1”的节点，而那里现在没有节点：Azure 需要几分钟才有第一个</translation>
    </message>
    <message>
        <source>it waits for a node of &quot;%1&quot;: %2</source>
        <translation>它在等待“%1”的节点：%2</translation>
    </message>
    <message>
        <source>it waits: %1</source>
        <translation>它在等待：%1</translation>
    </message>
    <message>
        <source>it was cancelled in Azure</source>
        <translation>它在 Azure 中被取消</translation>
    </message>
    <message>
        <source>its container was killed, often because it used more memory than its node has</source>
        <translation>它的容器被终止，通常是因为使用的内存超过了节点的内存</translation>
    </message>
    <message>
        <source>its job failed</source>
        <translation>它的作业失败了</translation>
    </message>
    <message>
        <source>its job has not ended in time</source>
        <translation>它的作业没有及时结束</translation>
    </message>
    <message>
        <source>its job has not ended in time: %1</source>
        <translation>它的作业没有及时结束：%1</translation>
    </message>
    <message>
        <source>nodes of a Kubernetes cluster</source>
        <translation>Kubernetes 集群的节点</translation>
    </message>
    <message>
        <source>nodes of size %1 have no GPU</source>
        <translation>规格为 %1 的节点没有 GPU</translation>
    </message>
    <message>
        <source>not run: no node is idle, and Azure needs minutes for one</source>
        <translation>未运行：没有空闲节点，而 Azure 需要几分钟才能准备好一个</translation>
    </message>
    <message>
        <source>one machine of size %1</source>
        <translation>一台规格为 %1 的计算机</translation>
    </message>
    <message>
        <source>resourceGroup: &quot;%1&quot; is no name of a resource group.</source>
        <translation>resourceGroup：“%1”不是资源组的名称。</translation>
    </message>
    <message>
        <source>subscriptionId: &quot;%1&quot; is no id of a subscription, as az account list prints them.</source>
        <translation>subscriptionId：“%1”不是 az account list 所列的那种订阅 ID。</translation>
    </message>
    <message>
        <source>tenantId: &quot;%1&quot; is neither an id nor a domain.</source>
        <translation>tenantId：“%1”既不是 ID 也不是域名。</translation>
    </message>
    <message>
        <source>tenantId: an application logs in at its own tenant; enter its id or domain.</source>
        <translation>tenantId：应用程序在它自己的租户登录；请输入其 ID 或域名。</translation>
    </message>
    <message>
        <source>the compute &quot;%1&quot; is an instance that does not run (%2)</source>
        <translation>计算目标“%1”是一个没有运行的实例（%2）</translation>
    </message>
    <message>
        <source>the compute &quot;%1&quot; is not ready (%2)</source>
        <translation>计算目标“%1”没有就绪（%2）</translation>
    </message>
    <message>
        <source>the compute &quot;%1&quot; is not ready (%2): %3</source>
        <translation>计算目标“%1”没有就绪（%2）：%3</translation>
    </message>
    <message>
        <source>the compute &quot;%1&quot; may have no nodes (its largest number of nodes is 0)</source>
        <translation>计算目标“%1”不能有节点（它的最大节点数是 0）</translation>
    </message>
    <message>
        <source>the keeper of trials is in the workspace</source>
        <translation>试验的看护程序已在工作区中</translation>
    </message>
    <message>
        <source>workspaceName: &quot;%1&quot; is no name of a workspace.</source>
        <translation>workspaceName：“%1”不是工作区的名称。</translation>
    </message>
    <message>
        <source>Its page of %1 does not show its final value: %2</source>
        <translation>它在 %1 的页面上没有显示最终值：%2</translation>
    </message>
    <message>
        <source>Azure gave no key of the workspace&apos;s storage.</source>
        <translation>Azure 没有给出工作区存储的密钥。</translation>
    </message>
    <message>
        <source>Azure gives neither a key nor a signature of the workspace&apos;s storage: Trialdeck cannot upload code there.</source>
        <translation>Azure 既没有给出工作区存储的密钥，也没有给出签名：Trialdeck 无法把代码上传到那里。</translation>
    </message>
    <message>
        <source>The workspace has no Blob storage as its default datastore.</source>
        <translation>工作区的默认数据存储不是 Blob 存储。</translation>
    </message>
    <message>
        <source>%1: %2 of %3 cores are used; a node has %4</source>
        <translation>%1：%3 个核中已用 %2 个；一个节点有 %4 个</translation>
    </message>
    <message>
        <source>No further node can start. Ask for more cores in the portal (Quotas, Machine Learning), or choose a compute of another size.</source>
        <translation>无法再启动节点。请在门户中申请更多的核（配额，机器学习），或选择另一种规格的计算目标。</translation>
    </message>
    <message>
        <source>Quota</source>
        <translation>配额</translation>
    </message>
    <message>
        <source>the cluster has no namespace %1</source>
        <translation>集群中没有命名空间 %1</translation>
    </message>
    <message>
        <source>A program of the command was not found (exit code 127).</source>
        <translation>找不到命令中的某个程序（退出码 127）。</translation>
    </message>
    <message>
        <source>Its folder was deleted while it ran, and how it ended is not known.</source>
        <translation>它的文件夹在运行时被删除，不知道它是如何结束的。</translation>
    </message>
    <message>
        <source>Its keeper ended before it started the command.</source>
        <translation>它的看护进程在启动命令之前就结束了。</translation>
    </message>
    <message>
        <source>The command ended with exit code %1 (%2 of a program in it).</source>
        <translation>命令以退出码 %1 结束（其中一个程序收到 %2）。</translation>
    </message>
    <message>
        <source>The command ended with exit code %1.</source>
        <translation>命令以退出码 %1 结束。</translation>
    </message>
    <message>
        <source>The command was ended by %1 (signal %2).</source>
        <translation>命令被 %1（信号 %2）终止。</translation>
    </message>
    <message>
        <source>The command was ended by signal %1.</source>
        <translation>命令被信号 %1 终止。</translation>
    </message>
    <message>
        <source>The system killed it because memory ran out.</source>
        <translation>内存耗尽，系统将其杀死。</translation>
    </message>
    <message>
        <source>The trial&apos;s keeper was killed before it started the command.</source>
        <translation>试验的看护进程在启动命令之前被杀死。</translation>
    </message>
    <message>
        <source>%1 GPU: %2</source>
        <translation>%1 个 GPU：%2</translation>
    </message>
    <message>
        <source>%1 GPUs: %2</source>
        <translation>%1 个 GPU：%2</translation>
    </message>
    <message>
        <source>%1 GiB free</source>
        <translation>%1 GiB 可用</translation>
    </message>
    <message>
        <source>%1 GiB free, only %2 more files</source>
        <translation>%1 GiB 可用，只能再建 %2 个文件</translation>
    </message>
    <message>
        <source>%1 GiB, %2 GiB available</source>
        <translation>%1 GiB，%2 GiB 可用</translation>
    </message>
    <message>
        <source>%1 answer</source>
        <translation>%1 个有回应</translation>
    </message>
    <message>
        <source>%1 does not answer.</source>
        <translation>%1 没有回应。</translation>
    </message>
    <message>
        <source>%1 s since 1970</source>
        <translation>自 1970 年起 %1 秒</translation>
    </message>
    <message>
        <source>%1. The driver was updated, but the old kernel module is still loaded.</source>
        <translation>%1。驱动已更新，但仍加载着旧的内核模块。</translation>
    </message>
    <message>
        <source>/proc can be used</source>
        <translation>/proc 可用</translation>
    </message>
    <message>
        <source>/proc is mounted, but what trials need of it (/proc/PID/stat, /proc/sys/kernel/random/boot_id) cannot be read.</source>
        <translation>/proc 已挂载，但无法读取试验所需的内容（/proc/PID/stat、/proc/sys/kernel/random/boot_id）。</translation>
    </message>
    <message>
        <source>/proc is not mounted, so no trial can be started, and nothing is known of those that may run.</source>
        <translation>/proc 未挂载，因此无法启动试验，也无法知道可能正在运行的试验。</translation>
    </message>
    <message>
        <source>A file system or a driver of the machine hangs.</source>
        <translation>这台机器的文件系统或驱动挂起。</translation>
    </message>
    <message>
        <source>After the logout</source>
        <translation>注销之后</translation>
    </message>
    <message>
        <source>An NVIDIA driver is loaded, but nvidia-smi is not installed.</source>
        <translation>已加载 NVIDIA 驱动，但未安装 nvidia-smi。</translation>
    </message>
    <message>
        <source>Ask the administrator to unmount it: %1</source>
        <translation>请管理员将其卸载: %1</translation>
    </message>
    <message>
        <source>Choose a faster disk for trials (scratchDir).</source>
        <translation>请为试验选择更快的磁盘 (scratchDir)。</translation>
    </message>
    <message>
        <source>Choose a folder on another mount if trials start programs of their code folder directly.</source>
        <translation>如果试验直接启动代码文件夹中的程序，请选择其他挂载上的文件夹。</translation>
    </message>
    <message>
        <source>Choose another folder (scratchDir), or make this one writable.</source>
        <translation>请选择其他文件夹 (scratchDir)，或使其可写。</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Disk quota</source>
        <translation>磁盘配额</translation>
    </message>
    <message>
        <source>Free disk space</source>
        <translation>可用磁盘空间</translation>
    </message>
    <message>
        <source>Free some space on this disk.</source>
        <translation>请在这个磁盘上腾出空间。</translation>
    </message>
    <message>
        <source>Free some space, or choose another folder (scratchDir).</source>
        <translation>请腾出空间，或选择其他文件夹 (scratchDir)。</translation>
    </message>
    <message>
        <source>Have it mounted by root: %1</source>
        <translation>请由 root 挂载: %1</translation>
    </message>
    <message>
        <source>Install Python, or set interpreter, setup or loginShell of the experiment.</source>
        <translation>请安装 Python，或设置实验的 interpreter、setup 或 loginShell。</translation>
    </message>
    <message>
        <source>Install bash if commands use its features.</source>
        <translation>如果命令用到 bash 的功能，请安装 bash。</translation>
    </message>
    <message>
        <source>Install gzip.</source>
        <translation>请安装 gzip。</translation>
    </message>
    <message>
        <source>Install nvidia-smi (package nvidia-smi or nvidia-utils).</source>
        <translation>请安装 nvidia-smi（软件包 nvidia-smi 或 nvidia-utils）。</translation>
    </message>
    <message>
        <source>It cannot be started: %1.</source>
        <translation>无法启动：%1。</translation>
    </message>
    <message>
        <source>It did not end within 60 seconds.</source>
        <translation>它在 60 秒内没有结束。</translation>
    </message>
    <message>
        <source>Let this account read it: a container must not hide /proc/sys, and hidepid must not hide its own processes.</source>
        <translation>请让这个账户能读取它：容器不得隐藏 /proc/sys，hidepid 不得隐藏它自己的进程。</translation>
    </message>
    <message>
        <source>Network mounts</source>
        <translation>网络挂载</translation>
    </message>
    <message>
        <source>No file can be watched (%1); metrics arrive up to a second late.</source>
        <translation>无法监视任何文件（%1）；指标最多晚一秒到达。</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Raise fs.inotify.max_user_watches and max_user_instances.</source>
        <translation>请提高 fs.inotify.max_user_watches 和 max_user_instances。</translation>
    </message>
    <message>
        <source>Restart the machine, or install the driver again.</source>
        <translation>请重启机器，或重新安装驱动。</translation>
    </message>
    <message>
        <source>Restart the machine, or reload the module while nothing uses a GPU: %1</source>
        <translation>请重启机器，或在没有程序使用 GPU 时重新加载模块: %1</translation>
    </message>
    <message>
        <source>Run once on it: %1</source>
        <translation>请在那台机器上运行一次: %1</translation>
    </message>
    <message>
        <source>Running programs from there</source>
        <translation>从那里运行程序</translation>
    </message>
    <message>
        <source>Set the clock (NTP).</source>
        <translation>请校准时钟 (NTP)。</translation>
    </message>
    <message>
        <source>Shared folder</source>
        <translation>共享文件夹</translation>
    </message>
    <message>
        <source>Shell</source>
        <translation>Shell</translation>
    </message>
    <message>
        <source>The check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>The folder is mounted with noexec.</source>
        <translation>该文件夹以 noexec 挂载。</translation>
    </message>
    <message>
        <source>This machine ends all processes of who logs out (KillUserProcesses).</source>
        <translation>这台机器会结束注销者的所有进程 (KillUserProcesses)。</translation>
    </message>
    <message>
        <source>Watching files</source>
        <translation>监视文件</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>bash is not installed; commands run by sh.</source>
        <translation>未安装 bash；命令由 sh 运行。</translation>
    </message>
    <message>
        <source>gzip -dc does not unpack, so code cannot be brought here.</source>
        <translation>gzip -dc 无法解压，因此代码无法送到这里。</translation>
    </message>
    <message>
        <source>gzip -dc does not unpack, so code cannot be brought here: %1</source>
        <translation>gzip -dc 无法解压，因此代码无法送到这里：%1</translation>
    </message>
    <message>
        <source>none is reached</source>
        <translation>没有达到任何配额</translation>
    </message>
    <message>
        <source>nvidia-smi failed.</source>
        <translation>nvidia-smi 失败。</translation>
    </message>
    <message>
        <source>on %1: machines that share it keep apart by their names</source>
        <translation>在 %1 上：共享它的机器以名称区分</translation>
    </message>
    <message>
        <source>on a disk of this machine</source>
        <translation>在本机的磁盘上</translation>
    </message>
    <message>
        <source>processes go on</source>
        <translation>进程继续运行</translation>
    </message>
    <message>
        <source>processes go on (lingering is on)</source>
        <translation>进程继续运行（已启用 lingering）</translation>
    </message>
    <message>
        <source>python3 was not found in PATH.</source>
        <translation>在 PATH 中找不到 python3。</translation>
    </message>
    <message>
        <source>Metrics by posts</source>
        <translation>经网络上报指标</translation>
    </message>
    <message>
        <source>Trials are not told the address, and their metrics come as always. To have them post, give the service a certificate that the image trusts, and check again.</source>
        <translation>不会把该地址告诉试验，其指标仍照常传回。若要由试验经网络上报，请为服务配置镜像所信任的证书，然后再次检查。</translation>
    </message>
    <message>
        <source>Trials are not told the address, and their metrics come as always. To have them post, start the service with an address that nodes reach (--ingest-url), and check again.</source>
        <translation>不会把该地址告诉试验，其指标仍照常传回。若要由试验经网络上报，请用节点能够访问的地址启动服务（--ingest-url），然后再次检查。</translation>
    </message>
    <message>
        <source>Trials get the address all the same.</source>
        <translation>仍会把该地址告诉试验。</translation>
    </message>
    <message>
        <source>a node does not trust the certificate of %1</source>
        <translation>节点不信任 %1 的证书</translation>
    </message>
    <message>
        <source>a node has no connection to %1</source>
        <translation>节点无法连接 %1</translation>
    </message>
    <message>
        <source>not tried: the image has neither python3 nor curl</source>
        <translation>未尝试：镜像中既没有 python3 也没有 curl</translation>
    </message>
    <message>
        <source>something answers at %1 on a node, which is not this service</source>
        <translation>在节点上，%1 有应答，但并非本服务</translation>
    </message>
    <message>
        <source>trials reach %1</source>
        <translation>试验可以访问 %1</translation>
    </message>
    <message>
        <source>%1 cannot be removed: %2</source>
        <translation>无法删除 %1：%2</translation>
    </message>
    <message>
        <source>%1 cannot be used: %2</source>
        <translation>无法使用 %1：%2</translation>
    </message>
    <message>
        <source>%1 depends on %2, which is no other field that always counts</source>
        <translation>%1 依赖于 %2，而后者不是另一个始终有效的字段</translation>
    </message>
    <message>
        <source>%1 does not fit: %2</source>
        <translation>%1 不合适：%2</translation>
    </message>
    <message>
        <source>%1 has an entry that is no text, or comes twice</source>
        <translation>%1 中有一项不是文本，或重复出现</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>%1 is neither true nor false</source>
        <translation>%1 既不是 true 也不是 false</translation>
    </message>
    <message>
        <source>%1 is no list of at most %2 fields</source>
        <translation>%1 不是最多含 %2 个字段的列表</translation>
    </message>
    <message>
        <source>%1 is no list of at most %2 texts</source>
        <translation>%1 不是最多含 %2 个文本的列表</translation>
    </message>
    <message>
        <source>%1 is no name of letters, digits and _ that begins with a letter</source>
        <translation>%1 不是以字母开头、由字母、数字和 _ 组成的名称</translation>
    </message>
    <message>
        <source>%1 is no object of `field` and `value`</source>
        <translation>%1 不是由 `field` 和 `value` 组成的对象</translation>
    </message>
    <message>
        <source>%1 is no text of at most %2 characters</source>
        <translation>%1 不是最多 %2 个字符的文本</translation>
    </message>
    <message>
        <source>%1 is no whole number, or not of an integer</source>
        <translation>%1 不是整数，或不属于整数字段</translation>
    </message>
    <message>
        <source>%1 is none of string, text, integer, boolean, path and file</source>
        <translation>%1 不是 string、text、integer、boolean、path、file 之一</translation>
    </message>
    <message>
        <source>%1 is not known</source>
        <translation>未知的 %1</translation>
    </message>
    <message>
        <source>%1: an experiment has no secrets</source>
        <translation>%1：实验没有机密字段</translation>
    </message>
    <message>
        <source>%1: only a string has closed choices, and at least one</source>
        <translation>%1：只有字符串字段才有固定选项，且至少一项</translation>
    </message>
    <message>
        <source>%1: only a string or a text can be secret</source>
        <translation>%1：只有字符串或文本字段可以是机密</translation>
    </message>
    <message>
        <source>%1: what is secret or required has none</source>
        <translation>%1：机密或必填的字段没有默认值</translation>
    </message>
    <message>
        <source>%1[%2] is no object</source>
        <translation>%1[%2] 不是对象</translation>
    </message>
    <message>
        <source>A name has 1 to 40 of the characters a-z, 0-9 and &apos;-&apos;, and begins with a letter.</source>
        <translation>名称由 1 到 40 个字符 a-z、0-9 和“-”组成，并以字母开头。</translation>
    </message>
    <message>
        <source>Check by the program</source>
        <translation>程序自身的检查</translation>
    </message>
    <message>
        <source>Correct them, or look at the program&apos;s documentation.</source>
        <translation>请更正设置，或查看该程序的文档。</translation>
    </message>
    <message>
        <source>Folder of trials</source>
        <translation>试验文件夹</translation>
    </message>
    <message>
        <source>How often the program is asked for its jobs.</source>
        <translation>向程序询问其作业的频率。</translation>
    </message>
    <message>
        <source>Its path as nodes see it, where that is another one.</source>
        <translation>节点所见的路径，若与此处不同。</translation>
    </message>
    <message>
        <source>Its standard error is in the log of the service. After a change of its description add it again: `trialdeck external add`.</source>
        <translation>其标准错误输出写入服务的日志。若其描述已更改，请重新添加：`trialdeck external add`。</translation>
    </message>
    <message>
        <source>Jobs that the program has at the same time, running or waiting; 0: any number.</source>
        <translation>程序同时拥有的作业数（运行中或等待中）；0：不限。</translation>
    </message>
    <message>
        <source>Name a folder in which you may write, and which every node sees (folder).</source>
        <translation>请指定一个您可以写入且每个节点都能看到的文件夹（folder）。</translation>
    </message>
    <message>
        <source>Nodes must see the folder, and need bash. The program&apos;s standard error is in the log of the service.</source>
        <translation>节点必须能看到该文件夹，并需要 bash。程序的标准错误输出写入服务的日志。</translation>
    </message>
    <message>
        <source>On this computer, and seen by every node: trials, their code and their output lie in it. Empty: a folder in the data directory.</source>
        <translation>位于本机，且每个节点都能看到：存放试验及其代码和输出。留空：数据目录中的一个文件夹。</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Seconds between two looks</source>
        <translation>两次查询间隔（秒）</translation>
    </message>
    <message>
        <source>The description of the program is wrong: %1.</source>
        <translation>程序的描述有误：%1。</translation>
    </message>
    <message>
        <source>The program %1 cannot be started: %2</source>
        <translation>无法启动程序 %1：%2</translation>
    </message>
    <message>
        <source>The program %1 did not answer %2 within %3 s, and was ended.</source>
        <translation>程序 %1 未在 %3 秒内应答 %2，已被终止。</translation>
    </message>
    <message>
        <source>The program %1 does not run.</source>
        <translation>程序 %1 未在运行。</translation>
    </message>
    <message>
        <source>The program %1 ended with exit code %2</source>
        <translation>程序 %1 以退出码 %2 结束</translation>
    </message>
    <message>
        <source>The program %1 is not there, or cannot be executed.</source>
        <translation>程序 %1 不存在，或无法执行。</translation>
    </message>
    <message>
        <source>The program %1 said nothing for %2 s after its start.</source>
        <translation>程序 %1 启动后 %2 秒内没有任何输出。</translation>
    </message>
    <message>
        <source>The program %1 sent a line of more than %2 MiB, and was ended.</source>
        <translation>程序 %1 发送了超过 %2 MiB 的一行，已被终止。</translation>
    </message>
    <message>
        <source>The program %1 speaks version %2 of the protocol, and this service speaks %3.</source>
        <translation>程序 %1 使用协议版本 %2，而本服务使用版本 %3。</translation>
    </message>
    <message>
        <source>The program %1 was ended by signal %2</source>
        <translation>程序 %1 被信号 %2 终止</translation>
    </message>
    <message>
        <source>The program found something that is not in order.</source>
        <translation>程序发现有不妥之处。</translation>
    </message>
    <message>
        <source>The program refused it, and does not say why.</source>
        <translation>程序拒绝了请求，且未说明原因。</translation>
    </message>
    <message>
        <source>The program&apos;s answer is wrong: %1.</source>
        <translation>程序的应答有误：%1。</translation>
    </message>
    <message>
        <source>The same on nodes</source>
        <translation>节点上的同一文件夹</translation>
    </message>
    <message>
        <source>There is no program %1.</source>
        <translation>没有程序 %1。</translation>
    </message>
    <message>
        <source>`%1` has more than %2 entries</source>
        <translation>`%1` 超过 %2 项</translation>
    </message>
    <message>
        <source>`command` is no list of words.</source>
        <translation>`command` 不是单词列表。</translation>
    </message>
    <message>
        <source>`gpus` is no list of at most %1</source>
        <translation>`gpus` 不是最多 %1 项的列表</translation>
    </message>
    <message>
        <source>a machine has no name, or that of another one</source>
        <translation>某台机器没有名称，或与另一台重名</translation>
    </message>
    <message>
        <source>a step of the check has no title</source>
        <translation>检查的某一步没有标题</translation>
    </message>
    <message>
        <source>it has no list `%1`</source>
        <translation>其中没有列表 `%1`</translation>
    </message>
    <message>
        <source>it is no object</source>
        <translation>它不是对象</translation>
    </message>
    <message>
        <source>it was cancelled in the queue</source>
        <translation>已在队列中被取消</translation>
    </message>
    <message>
        <source>the field %1 comes twice</source>
        <translation>字段 %1 重复出现</translation>
    </message>
    <message>
        <source>the field %1 is the service&apos;s own</source>
        <translation>字段 %1 由服务自身使用</translation>
    </message>
    <message>
        <source>the program takes them</source>
        <translation>程序接受这些设置</translation>
    </message>
    <message>
        <source>there is no call %1</source>
        <translation>没有调用 %1</translation>
    </message>
    <message>
        <source>is no mapping.</source>
        <translation>不是映射。</translation>
    </message>
    <message>
        <source>The training service was closed before it was cleaned up.</source>
        <translation>训练服务在清理之前就已关闭。</translation>
    </message>
    <message>
        <source>A rule of the cluster (%1) refuses this (403).</source>
        <translation>集群的一条规则（%1）拒绝了此请求（403）。</translation>
    </message>
    <message>
        <source>The cluster asks a webhook (%1) before it takes an object, and that one does not answer (%2). It is asked again later.</source>
        <translation>集群在接受对象之前会询问一个 webhook（%1），而它没有应答（%2）。稍后会再次请求。</translation>
    </message>
    <message>
        <source>%1 lost its init container %2</source>
        <translation>%1丢失了它的初始化容器 %2</translation>
    </message>
    <message>
        <source>%1 can be written</source>
        <translation>%1 可以写入</translation>
    </message>
    <message>
        <source>A piece of the trial&apos;s log (%1) is longer than any that its keeper writes.</source>
        <translation>试验日志的一个分段（%1）比看护程序写出的任何分段都长。</translation>
    </message>
    <message>
        <source>Azure&apos;s storage lists its files in a way that cannot be read.</source>
        <translation>Azure 的存储列出文件的方式无法读取。</translation>
    </message>
    <message>
        <source>Blob storage</source>
        <translation>Blob 存储</translation>
    </message>
    <message>
        <source>Code in place needs a storage that is mounted here; this platform needs a snapshot.</source>
        <translation>就地运行的代码需要挂载在本机的存储；此平台需要快照。</translation>
    </message>
    <message>
        <source>Of a storage of the type azureBlob that is not mounted here, where it is not in Azure&apos;s public cloud: for example https://{account}.blob.core.chinacloudapi.cn.</source>
        <translation>用于未挂载在本机、且不在 Azure 公有云中的 azureBlob 类型存储：例如 https://{account}.blob.core.chinacloudapi.cn。</translation>
    </message>
    <message>
        <source>OpenPAI does not say how its storage %1 is reached: an account, a container, and a key or a signature.</source>
        <translation>OpenPAI 没有说明如何访问它的存储 %1：需要账户、容器，以及密钥或签名。</translation>
    </message>
    <message>
        <source>The account of the storage must be reachable from here (storageEndpoint), and its key good: an administrator of OpenPAI sees it.</source>
        <translation>存储的账户必须能从本机访问（storageEndpoint），其密钥必须有效：OpenPAI 的管理员可以看到它。</translation>
    </message>
    <message>
        <source>The storage cannot be used from here</source>
        <translation>无法从本机使用该存储</translation>
    </message>
    <message>
        <source>There is no folder %1/%2.</source>
        <translation>没有文件夹 %1/%2。</translation>
    </message>
    <message>
        <source>Where that storage is mounted on the service&apos;s computer, as an absolute path. Not needed for one of the type azureBlob: it is then used by its address, with the key that OpenPAI gives.</source>
        <translation>该存储在服务所在计算机上的挂载位置，绝对路径。类型为 azureBlob 的存储不需要：它按地址使用，密钥由 OpenPAI 提供。</translation>
    </message>
    <message>
        <source>localStorageMountPoint: mount the storage on this computer, and name the folder.</source>
        <translation>localStorageMountPoint：请把该存储挂载到本机，并填写该文件夹。</translation>
    </message>
    <message>
        <source>localStorageMountPoint: the storage %1 is of the type %2: mount it on this computer, and name the folder.</source>
        <translation>localStorageMountPoint：存储 %1 的类型是 %2：请把它挂载到本机，并填写该文件夹。</translation>
    </message>
    <message>
        <source>storageConfigName: the storage %1 is read-only, and trials write into it. Choose another one.</source>
        <translation>storageConfigName：存储 %1 是只读的，而试验要写入它。请选择其他存储。</translation>
    </message>
    <message>
        <source>storageEndpoint: &quot;%1&quot; is no address of Blob storage. Write it as https://{account}.blob.core.windows.net</source>
        <translation>storageEndpoint：“%1”不是 Blob 存储的地址。请写成 https://{account}.blob.core.windows.net</translation>
    </message>
    <message>
        <source>Azure&apos;s storage lists the same files again and again.</source>
        <translation>Azure 的存储一再列出同样的文件。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1; its job printed last: %2</source>
        <translation>%1；其作业最后输出：%2</translation>
    </message>
    <message>
        <source>DLTS did not say what endpoints the job has.</source>
        <translation>DLTS 没有说明该作业有哪些端点。</translation>
    </message>
    <message>
        <source>DLTS has not opened the endpoints of the job for a long time; its page may say why.</source>
        <translation>DLTS 很久没有打开该作业的端点；作业的页面可能说明原因。</translation>
    </message>
    <message>
        <source>Endpoints</source>
        <translation>端点</translation>
    </message>
    <message>
        <source>Its job can be reached: %1</source>
        <translation>可以连接到其作业：%1</translation>
    </message>
    <message>
        <source>OpenPAI does not say where the job&apos;s log is.</source>
        <translation>OpenPAI 没有说明该作业的日志在哪里。</translation>
    </message>
    <message>
        <source>OpenPAI names no log of the job.</source>
        <translation>OpenPAI 没有给出该作业的日志。</translation>
    </message>
    <message>
        <source>The cluster keeps no logs of jobs.</source>
        <translation>集群不保存作业的日志。</translation>
    </message>
    <message>
        <source>The endpoints of the job could not be opened: %1</source>
        <translation>无法打开该作业的端点：%1</translation>
    </message>
    <message>
        <source>Ways from outside into a trial that runs: ssh, ipython, tensorboard, and ports from 40000 to 49999, separated by commas. Its journal then says where they are.</source>
        <translation>从外部连接运行中试验的方式：ssh、ipython、tensorboard，以及 40000 到 49999 的端口，用逗号分隔。试验的记录会说明地址。</translation>
    </message>
    <message>
        <source>endpoints: &quot;%1&quot; is none of ssh, ipython and tensorboard, and no port from %2 to %3.</source>
        <translation>endpoints：“%1”既不是 ssh、ipython、tensorboard 之一，也不是 %2 到 %3 的端口。</translation>
    </message>
    <message>
        <source>endpoints: a job has %1 at the most.</source>
        <translation>endpoints：一个作业最多有 %1 个。</translation>
    </message>
    <message>
        <source>its job printed last: %1</source>
        <translation>其作业最后输出：%1</translation>
    </message>
    <message>
        <source>%1 is sent to %2, which is no other field</source>
        <translation>%1 会发送到 %2，而后者不是另一个字段</translation>
    </message>
    <message>
        <source>%1 must be entered again: the saved one was entered for another %2.</source>
        <translation>%1 必须重新输入：已保存的值是为另一个 %2 输入的。</translation>
    </message>
    <message>
        <source>%1: only what is secret has them</source>
        <translation>%1：只有机密字段才有</translation>
    </message>
    <message>
        <source>%1 answered with a page (text/html), which does not say that it did what it was asked for. Check the address: something else may answer there.</source>
        <translation>%1 的应答是一个网页（text/html），无法说明它是否执行了请求。请检查地址：应答的可能是其他程序。</translation>
    </message>
    <message>
        <source>%1 was asked, and something in front of it answered that there is nothing (HTTP %2). Check the address and the proxy.</source>
        <translation>向 %1 发出了请求，而位于它前面的程序回答没有任何内容（HTTP %2）。请检查地址和代理。</translation>
    </message>
</context>
</TS>
