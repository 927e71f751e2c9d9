// The same as guard-x64.s, for arm64.
//
// x19: argc, with the arguments above it; x20: the letter; x21, x24: a list; w22: the parent; w25: the command, 0 when it
// has ended; w26: 0 with a terminal; x27: the environment; w28: the command's status; x23: where to return to. sp: room,
// with 0 all signals, 8 those of before, 16 a set, 24 no time, 40 a status, 128 the list.
.text
start:
    mov x19, sp
    ldr x0, [x19]
    add x27, x19, x0, lsl #3
    add x27, x27, #16
    sub sp, sp, #4096
    sub sp, sp, #256
    mov w20, #0
    cmp x0, #4
    b.lo fail
    mov x0, #-1
    str x0, [sp]
    mov x1, sp
    add x2, sp, #8
    bl mask
    mov x0, #36                 // PR_SET_CHILD_SUBREAPER
    mov x1, #1
    bl prctl
    mov x0, #15                 // PR_SET_NAME
    adr x1, name
    bl prctl
    mov x0, #1                  // PR_SET_PDEATHSIG
    mov x1, #16
    bl prctl
    ldr x1, [x19, #16]
    mov w22, #0
    mov w3, #10
digit:
    ldrb w20, [x1], #1
    sub w2, w20, #'0'
    cmp w2, #9
    b.hi parsed
    madd w22, w22, w3, w2
    b digit
parsed:
    mov x8, #173                // getppid
    svc #0
    cmp w0, w22
    b.ne fail                   // nobody is left to run it for
    mov x1, #0x5422             // TIOCNOTTY
    bl terminal
    mov w26, w0
    cbnz w0, begin
    str xzr, [sp, #24]          // giving up the terminal hangs it up: nothing to pass on
    str xzr, [sp, #32]
    mov x0, #1
    movk x0, #2, lsl #16
    str x0, [sp, #16]
hangup:
    add x0, sp, #16
    add x2, sp, #24
    bl signal
    cmp w0, #0
    b.gt hangup
begin:
    mov x8, #220                // clone(SIGCHLD, 0, 0, 0, 0)
    mov x0, #17
    mov x1, #0
    mov x2, #0
    mov x3, #0
    mov x4, #0
    svc #0
    tbnz w0, #31, fail
    cbz w0, command
    mov w25, w0
    mov x0, #0                  // a pipe ends with its last holder, which must not be the guard
    bl close
    mov x0, #1
    bl close
    mov x0, #2
    bl close
await:
    mov x0, sp
    mov x2, #0
    bl signal
    cmp w0, #17                 // SIGCHLD
    b.eq reap
    cmp w0, #16                 // SIGSTKFLT
    b.eq end
    cmp w0, #0
    b.le await
    mov w1, w0
    bl group
    b await
reap:
    mov x2, #1                  // WNOHANG
    bl wait
    cmp w0, #0
    b.gt reap
    b await

end:                            // a child's end makes its children ours: look again after each
    mov w1, #9
    bl group
    mov x8, #56                 // openat(AT_FDCWD, children, O_CLOEXEC)
    mov x0, #-100
    adr x1, children
    mov x2, #0x80000
    svc #0
    tbnz w0, #31, unlisted
    mov w21, w0
    mov x8, #63                 // read
    add x1, sp, #128
    mov x2, #4096
    svc #0
    mov x24, x0
    mov w0, w21
    bl close
    add x21, sp, #128
    cmp x24, #0
    b.le listed
    add x24, x24, x21
number:
    mov w0, #0
    mov w3, #10
more:
    cmp x21, x24
    b.hs listed
    ldrb w2, [x21], #1
    subs w2, w2, #'0'
    b.lt whole
    madd w0, w0, w3, w2
    b more
whole:
    mov w1, #9
    bl kill
    b number
listed:
    mov x2, #0
    bl wait
gather:
    mov x2, #1
    bl wait
    cmp w0, #0
    b.gt gather
    b end
unlisted:                       // a kernel that does not list children: the group alone
    cbz w25, exit
    mov x2, #0
    bl wait
    b unlisted

wait:                           // x2: options; returns the child, or not at all when there is none left
    mov x23, x30
    mov x8, #260                // wait4(-1, status, options, 0)
    mov x0, #-1
    add x1, sp, #40
    mov x3, #0
    svc #0
    cmn w0, #10                 // ECHILD
    b.eq exit
    cmp w0, #0
    b.le waited
    cmp w0, w25
    b.ne waited
    mov w25, #0
    ldr w28, [sp, #40]
    cmp w20, #'e'
    b.eq end
    mov x8, #64                 // write
    mov x0, #3
    add x1, sp, #40
    mov x2, #4
    svc #0
    mov x0, #3
    bl close
    mov w0, #1
waited:
    ret x23

group:                          // w1: a signal for the command's group
    neg w0, w25
    cbz w0, done
kill:
    mov x8, #129
    svc #0
done:
    ret

close:
    mov x8, #57
    svc #0
    ret

signal:                         // x0: signals to wait for, x2: how long
    mov x8, #137                // rt_sigtimedwait(signals, 0, time, 8)
    mov x1, #0
    mov x3, #8
    svc #0
    ret

mask:                           // x1: signals to block, x2: room for those of before
    mov x8, #135                // rt_sigprocmask(SIG_SETMASK, signals, before, 8)
    mov x0, #2
    mov x3, #8
    svc #0
    ret

prctl:
    mov x8, #167
    svc #0
    ret

terminal:
    mov x8, #29                 // ioctl(0, x1, 0)
    mov x0, #0
    mov x2, #0
    svc #0
    ret

command:
    mov x8, #157                // setsid
    svc #0
    cbnz w26, ready
    mov x1, #0x540e             // TIOCSCTTY
    bl terminal
ready:
    mov x0, #1                  // PR_SET_PDEATHSIG: somebody may kill the guard
    mov x1, #9
    bl prctl
    cmp w20, #'e'
    b.eq unmask
    mov x0, #3
    bl close
unmask:
    add x1, sp, #8
    mov x2, #0
    bl mask
    mov x8, #221                // execve
    ldr x0, [x19, #24]
    add x1, x19, #32
    mov x2, x27
    svc #0
    mov x8, #64                 // write
    mov x0, #2
    adr x1, said
    mov x2, #31                 // the length of what is said
    svc #0
fail:
    mov w0, #126
    b leave
exit:
    mov w0, #0
    cmp w20, #'e'
    b.ne leave
    ands w21, w28, #0x7f
    b.ne killed
    ubfx w0, w28, #8, #8
leave:
    mov x8, #94                 // exit_group
    svc #0
killed:
    mov x0, #4                  // PR_SET_DUMPABLE, 0: the core, if any, is the command's
    mov x1, #0
    bl prctl
    mov x8, #172                // getpid
    svc #0
    mov w1, w21
    bl kill
    str xzr, [sp]
    mov x1, sp
    mov x2, #0
    bl mask
    add w0, w21, #128
    b leave

said:
    .ascii "the program cannot be executed\n"
children:
    .asciz "/proc/thread-self/children"
name:
    .asciz "quire-guard"
    .balign 8
