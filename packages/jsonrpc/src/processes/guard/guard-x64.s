# The guard of a command, for x64: the command's parent, which ends it and all that descends from it when the program
# that started it is gone. machine-code.ts holds it assembled: after a change run
#   node_modules/.bin/bun scripts/assemble.ts
#
#   guard PID PROGRAM NAME ARGS...     writes the command's wait status to descriptor 3, and stays while a descendant lives
#   guard PIDe PROGRAM NAME ARGS...    ends all descendants with the command, and then as the command has ended
#
# PID is the parent's, which may die before the guard asks to be told. PROGRAM is a path, NAME its first argument. The
# command leads a session of its own, with the terminal on stdin if that was the guard's. Orphans become children of the
# guard (a subreaper), also those that left session and environment. It passes signals on to the command's group;
# SIGSTKFLT, also the sign of the parent's death, ends everything.
#
# rbp: argc, with the arguments above it and room below; r12, rbx: a list; r13: the command, 0 when it has ended; r14: 0
# with a terminal; r15: the environment. Below rbp: 8 all signals, 16 those of before, 40 a set, 32 no time, 48 a status,
# 56 the command's, 60 the letter, 4224 the list.
.intel_syntax noprefix
.text
start:
    mov rbp, rsp
    mov rax, [rbp]
    lea r15, [rbp + rax*8 + 16]
    sub rsp, 4352
    cmp rax, 4
    jb fail
    mov qword ptr [rbp - 8], -1
    lea rsi, [rbp - 8]
    lea rdx, [rbp - 16]
    call mask
    mov edi, 36                 # PR_SET_CHILD_SUBREAPER
    mov esi, 1
    call prctl
    mov edi, 15                 # PR_SET_NAME
    lea rsi, [rip + name]
    call prctl
    mov edi, 1                  # PR_SET_PDEATHSIG
    mov esi, 16
    call prctl
    mov rsi, [rbp + 16]
    xor ebx, ebx
digit:
    movzx ecx, byte ptr [rsi]
    mov [rbp - 60], ecx
    inc rsi
    sub ecx, '0'
    cmp ecx, 9
    ja parsed
    imul ebx, ebx, 10
    add ebx, ecx
    jmp digit
parsed:
    mov eax, 110                # getppid
    syscall
    cmp eax, ebx
    jne fail                    # nobody is left to run it for
    mov esi, 0x5422             # TIOCNOTTY
    call terminal
    mov r14d, eax
    test eax, eax
    jnz begin
    mov [rbp - 32], rax         # giving up the terminal hangs it up: nothing to pass on
    mov [rbp - 24], rax
    mov qword ptr [rbp - 40], 0x20001
hangup:
    lea rdi, [rbp - 40]
    lea rdx, [rbp - 32]
    call signal
    test eax, eax
    jg hangup
begin:
    mov eax, 57                 # fork
    syscall
    test eax, eax
    js fail
    jz command
    mov r13d, eax
    xor edi, edi                # a pipe ends with its last holder, which must not be the guard
    call close
    mov edi, 1
    call close
    mov edi, 2
    call close
await:
    lea rdi, [rbp - 8]
    xor edx, edx
    call signal
    cmp eax, 17                 # SIGCHLD
    je reap
    cmp eax, 16                 # SIGSTKFLT
    je end
    test eax, eax
    jle await
    mov esi, eax
    call group
    jmp await
reap:
    mov edx, 1                  # WNOHANG
    call wait
    test eax, eax
    jg reap
    jmp await

end:                            # a child's end makes its children ours: look again after each
    mov esi, 9
    call group
    mov eax, 257                # openat(AT_FDCWD, children, O_CLOEXEC)
    mov edi, -100
    lea rsi, [rip + children]
    mov edx, 0x80000
    syscall
    test eax, eax
    js unlisted
    mov r12d, eax
    xor eax, eax                # read
    mov edi, r12d
    lea rsi, [rbp - 4224]
    mov edx, 4096
    syscall
    mov ebx, eax
    mov edi, r12d
    call close
    lea r12, [rbp - 4224]
    test ebx, ebx
    jle listed
    add rbx, r12
number:
    xor edi, edi
more:
    cmp r12, rbx
    jae listed
    movzx ecx, byte ptr [r12]
    inc r12
    sub ecx, '0'
    js whole
    imul edi, edi, 10
    add edi, ecx
    jmp more
whole:
    mov esi, 9
    call kill
    jmp number
listed:
    xor edx, edx
    call wait
gather:
    mov edx, 1
    call wait
    test eax, eax
    jg gather
    jmp end
unlisted:                       # a kernel that does not list children: the group alone
    test r13d, r13d
    jz exit
    xor edx, edx
    call wait
    jmp unlisted

wait:                           # edx: options; returns the child, or not at all when there is none left
    mov eax, 61                 # wait4(-1, status, options, 0)
    mov edi, -1
    lea rsi, [rbp - 48]
    xor r10d, r10d
    syscall
    cmp eax, -10                # ECHILD
    je exit
    test eax, eax
    jle done
    cmp eax, r13d
    jne done
    xor r13d, r13d
    mov ecx, [rbp - 48]
    mov [rbp - 56], ecx
    cmp byte ptr [rbp - 60], 'e'
    je end
    mov eax, 1                  # write
    mov edi, 3
    lea rsi, [rbp - 56]
    mov edx, 4
    syscall
    mov edi, 3
    call close
    mov eax, 1
done:
    ret

group:                          # esi: a signal for the command's group
    mov edi, r13d
    neg edi
    jz done
kill:
    mov eax, 62
    syscall
    ret

close:
    mov eax, 3
    syscall
    ret

signal:                         # rdi: signals to wait for, rdx: how long
    mov eax, 128                # rt_sigtimedwait(signals, 0, time, 8)
    xor esi, esi
    mov r10d, 8
    syscall
    ret

mask:                           # rsi: signals to block, rdx: room for those of before
    mov eax, 14                 # rt_sigprocmask(SIG_SETMASK, signals, before, 8)
    mov edi, 2
    mov r10d, 8
    syscall
    ret

prctl:
    mov eax, 157
    syscall
    ret

terminal:
    mov eax, 16                 # ioctl(0, esi, 0)
    xor edi, edi
    xor edx, edx
    syscall
    ret

command:
    mov eax, 112                # setsid
    syscall
    test r14d, r14d
    jnz ready
    mov esi, 0x540e             # TIOCSCTTY
    call terminal
ready:
    mov edi, 1                  # PR_SET_PDEATHSIG: somebody may kill the guard
    mov esi, 9
    call prctl
    cmp byte ptr [rbp - 60], 'e'
    je unmask
    mov edi, 3
    call close
unmask:
    lea rsi, [rbp - 16]
    xor edx, edx
    call mask
    mov eax, 59                 # execve
    mov rdi, [rbp + 24]
    lea rsi, [rbp + 32]
    mov rdx, r15
    syscall
    mov eax, 1                  # write
    mov edi, 2
    lea rsi, [rip + said]
    mov edx, 31                 # the length of what is said
    syscall
fail:
    mov edi, 126
    jmp leave
exit:
    xor edi, edi
    cmp byte ptr [rbp - 60], 'e'
    jne leave
    mov ebx, [rbp - 56]
    and ebx, 0x7f
    jnz killed
    movzx edi, byte ptr [rbp - 55]
leave:
    mov eax, 231                # exit_group
    syscall
killed:
    mov edi, 4                  # PR_SET_DUMPABLE, 0: the core, if any, is the command's
    xor esi, esi
    call prctl
    mov eax, 39                 # getpid
    syscall
    mov edi, eax
    mov esi, ebx
    call kill
    mov qword ptr [rbp - 8], 0
    lea rsi, [rbp - 8]
    xor edx, edx
    call mask
    lea edi, [rbx + 128]
    jmp leave

said:
    .ascii "the program cannot be executed\n"
children:
    .asciz "/proc/thread-self/children"
name:
    .asciz "quire-guard"
    .balign 8
