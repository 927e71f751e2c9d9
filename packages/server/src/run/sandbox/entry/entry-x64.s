# The program that a sandboxed command is started by, for x64. machine-code.ts holds it assembled: after a change run
#   node_modules/.bin/bun scripts/assemble.ts
#
#   entry o FILTER ENTRY PROGRAM ARGS...            outside: opens both files as 9 and 8, keeps signals from bubblewrap, executes
#   entry c FOLDERS... "" /usr/bin/env -- ARGS...   inside, as process 1: writes are for these folders alone from here on (Landlock);
#                                                   before each, its device and inode as DEVICE.INODE in hexadecimal, or - for any
#   entry p /usr/bin/env -- ARGS...                 inside, as process 1, without Landlock
#
# Process 1 waits for the command and ends with its status. The kernel ends all others with process 1, before anybody
# outside can see that it has ended.
#
# rbp: argc, with the arguments above it and room below; r12: the argument at hand; r13: the ruleset; r15: the environment.
.intel_syntax noprefix
.text
start:
    mov rbp, rsp
    mov rax, [rbp]
    lea r15, [rbp + rax*8 + 16]
    sub rsp, 512
    lea r12, [rbp + 24]
    mov rax, [rbp + 16]
    test rax, rax
    jz fail
    cmp byte ptr [rax], 'o'
    je outside
    cmp byte ptr [rax], 'p'
    je inside

    mov eax, 157                # prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0): only so may everybody restrict themselves
    mov edi, 38
    mov esi, 1
    xor edx, edx
    xor r10d, r10d
    xor r8d, r8d
    syscall
    mov eax, 444                # landlock_create_ruleset(data, 24, 0)
    lea rdi, [rip + data]
    mov esi, 24
    xor edx, edx
    syscall
    test eax, eax
    js fail
    mov r13d, eax
next:
    mov rsi, [r12]
    add r12, 8
    test rsi, rsi
    jz fail
    cmp byte ptr [rsi], 0
    je terminal
    mov rbx, rsi
    mov rsi, [r12]
    add r12, 8
    test rsi, rsi
    jz fail
    mov eax, 257                # openat(AT_FDCWD, folder, O_PATH | O_CLOEXEC)
    mov edi, -100
    mov edx, 0x280000
    syscall
    test eax, eax
    js next                     # it is gone: nothing to allow
    mov r14d, eax
    cmp byte ptr [rbx], '-'
    je checked
    mov eax, 5                  # fstat
    mov edi, r14d
    lea rsi, [rbp - 320]
    syscall
    test eax, eax
    js fail
    mov rsi, rbx
    call number
    cmp rax, [rbp - 320]
    jne fail                    # another folder was put in its place
    call number
    cmp rax, [rbp - 312]
    jne fail
checked:
    mov rax, [rip + data + 24]
    call allow
    test eax, eax
    jns opened
    mov rax, [rip + data + 32]  # no folder: the rights of a file
    call allow
opened:
    mov eax, 3                  # close
    mov edi, r14d
    syscall
    jmp next
terminal:                       # /dev/stdout and /dev/stderr open what these are; a pipe needs no rule and takes none
    mov r14d, 1
    mov rax, [rip + data + 32]
    call allow
    mov r14d, 2
    mov rax, [rip + data + 32]
    call allow
    mov eax, 446                # landlock_restrict_self(ruleset, 0)
    mov edi, r13d
    xor esi, esi
    syscall
    test eax, eax
    js fail
    mov eax, 3
    mov edi, r13d
    syscall
inside:
    mov eax, 3                  # this file
    mov edi, 8
    syscall
    mov eax, 157                # prctl(PR_SET_DUMPABLE, 0): nobody traces process 1
    mov edi, 4
    xor esi, esi
    syscall
    mov eax, 57                 # fork
    syscall
    test eax, eax
    js fail
    jz command
    mov r14d, eax
await:
    mov eax, 61                 # wait4(-1, status, 0, 0)
    mov edi, -1
    lea rsi, [rbp - 8]
    xor edx, edx
    xor r10d, r10d
    syscall
    cmp eax, r14d
    je ended
    cmp eax, -4                 # EINTR
    je await
    test eax, eax
    jns await
    jmp fail
ended:
    mov edi, [rbp - 8]
    mov eax, edi
    and eax, 0x7f
    jz exited
    lea edi, [rax + 128]
    jmp exit
exited:
    shr edi, 8
    and edi, 0xff
exit:
    mov eax, 231                # exit_group
    syscall

command:
    xor eax, eax                # SIG_DFL
    call signals
    mov rdi, [r12 + 16]
    test rdi, rdi
    jz search
    cmp byte ptr [rdi], '/'
    jne search
    lea rsi, [r12 + 16]
    mov rdx, r15
    mov eax, 59                 # execve
    syscall
search:                         # env looks a name up, and says what is wrong
    mov rdi, [r12]
    mov rsi, r12
    mov rdx, r15
    mov eax, 59
    syscall
fail:
    mov eax, 1                  # write
    mov edi, 2
    lea rsi, [rip + said]
    mov edx, 45                 # the length of what is said
    syscall
    mov edi, 126
    jmp exit

outside:
    mov eax, 1                  # SIG_IGN
    call signals
    mov rsi, [r12]
    mov ebx, 9
    call open
    mov rsi, [r12 + 8]
    mov ebx, 8
    call open
    mov rdi, [r12 + 16]
    lea rsi, [r12 + 16]
    mov rdx, r15
    mov eax, 59
    syscall
    jmp fail

open:                           # rsi: path, ebx: the descriptor it becomes
    mov eax, 257                # openat(AT_FDCWD, path, O_RDONLY)
    mov edi, -100
    xor edx, edx
    syscall
    test eax, eax
    js fail
    cmp eax, ebx
    je done
    mov r14d, eax
    mov edi, eax
    mov esi, ebx
    mov eax, 33                 # dup2
    syscall
    mov eax, 3
    mov edi, r14d
    syscall
done:
    ret

number:                         # rsi: hexadecimal digits with a point or the end behind them; goes behind that
    xor eax, eax
digit:
    movzx ecx, byte ptr [rsi]
    inc rsi
    test ecx, ecx
    jz done
    cmp ecx, '.'
    je done
    sub ecx, '0'
    cmp ecx, 9
    jbe add
    sub ecx, 39                 # from a on
add:
    shl rax, 4
    add rax, rcx
    jmp digit

allow:                          # rax: rights, r14: descriptor
    mov [rbp - 32], rax
    mov [rbp - 24], r14d
    mov eax, 445                # landlock_add_rule(ruleset, PATH_BENEATH, rule, 0)
    mov edi, r13d
    mov esi, 1
    lea rdx, [rbp - 32]
    xor r10d, r10d
    syscall
    ret

signals:                        # rax: what becomes of INT, QUIT and TERM
    mov [rbp - 64], rax
    xor eax, eax
    mov [rbp - 56], rax
    mov [rbp - 48], rax
    mov [rbp - 40], rax
    mov ebx, 2
    call signal
    mov ebx, 3
    call signal
    mov ebx, 15
signal:
    mov eax, 13                 # rt_sigaction(signal, action, 0, 8)
    mov edi, ebx
    lea rsi, [rbp - 64]
    xor edx, edx
    mov r10d, 8
    syscall
    ret

said:
    .ascii "the command cannot be started in its sandbox\n"
    .balign 8
data:                           # follows: handled files, network, scopes; rights in a folder, of a file
