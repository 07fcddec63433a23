// SPDX-License-Identifier: GPL-3.0-or-later
// The only program of two images without a shell: does what its arguments say, one after the other. A container's first process.
//   say=TEXT  env=NAME  sleep=SECONDS  memory=MIB (of a process of its own)  write=FILE  copy=FILE (below /opt/kube)
//   pause (until SIGTERM)  exit=CODE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t pausing = 0;

static void terminated(int number)
{
    _exit(pausing ? 0 : 128 + number);
}

static const char* after(const char* text, const char* start)
{
    const size_t length = strlen(start);
    return strncmp(text, start, length) == 0 ? text + length : NULL;
}

static void write_file(const char* path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        perror(path);
        exit(1);
    }
    close(file);
}

// A program into the volume where an MPIJob's launcher looks for it.
static void copy_program(const char* from)
{
    static char block[1 << 16];
    char path[256];
    snprintf(path, sizeof path, "/opt/kube/%s", from + (*from == '/'));
    const int source = open(from, O_RDONLY | O_CLOEXEC);
    const int target = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    ssize_t size = source < 0 || target < 0 ? -1 : 1;
    while (size > 0 && (size = read(source, block, sizeof block)) > 0)
        if (write(target, block, (size_t)size) != size)
            size = -1;
    if (size < 0) {
        perror(path);
        exit(1);
    }
}

// In a child. Where the kernel kills that, containerd hears of it beside the container's end, and of the two in no order: one that ends at
// once is "Error" now and then, and never OOMKilled. So the container ends two seconds later.
static void take_memory(long mebibytes)
{
    int state = 0;
    const pid_t child = fork();
    if (child == 0) {
        const size_t size = (size_t)mebibytes << 20;
        char* block = malloc(size);
        if (block == NULL) {
            perror("memory");
            _exit(1);
        }
        memset(block, 1, size);
        __asm__ volatile("" : : "r"(block) : "memory");
        _exit(0);
    }
    if (child < 0 || waitpid(child, &state, 0) < 0) {
        perror("memory");
        exit(1);
    }
    if (WIFSIGNALED(state)) {
        const struct timespec time = {2, 0};
        nanosleep(&time, NULL);
        exit(128 + WTERMSIG(state));
    }
}

int main(int count, char** words)
{
    signal(SIGTERM, terminated); // The first process of a container gets no signal that it does not ask for.
    signal(SIGINT, terminated);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < count; ++i) {
        const char* value;
        if ((value = after(words[i], "say=")) != NULL) {
            puts(value);
        } else if ((value = after(words[i], "env=")) != NULL) {
            const char* found = getenv(value);
            printf("%s=%s\n", value, found != NULL ? found : "(unset)");
        } else if ((value = after(words[i], "sleep=")) != NULL) {
            const struct timespec time = {atol(value), 0};
            nanosleep(&time, NULL);
        } else if ((value = after(words[i], "memory=")) != NULL) {
            take_memory(atol(value));
        } else if ((value = after(words[i], "write=")) != NULL) {
            write_file(value);
        } else if ((value = after(words[i], "copy=")) != NULL) {
            copy_program(value);
        } else if ((value = after(words[i], "exit=")) != NULL) {
            return atoi(value);
        } else if (strcmp(words[i], "pause") == 0) {
            pausing = 1;
            signal(SIGCHLD, SIG_IGN); // nobody else waits for what a pod leaves behind
            for (;;) {
                pause();
            }
        } else {
            fprintf(stderr, "%s: not known\n", words[i]);
            return 2;
        }
    }
    return 0;
}
