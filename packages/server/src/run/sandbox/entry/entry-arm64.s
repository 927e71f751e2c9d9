// The same as entry-x64.s, for arm64.
//
// x19: argc, with the arguments above it; x20: the argument at hand; x21: the ruleset; x22: the environment; sp: room.
.text
start:
    mov x19, sp
    ldr x0, [x19]
    add x22, x19, x0, lsl #3
    add x22, x22, #16
    sub sp, sp, #512
    add x20, x19, #24
    ldr x0, [x19, #16]
    cbz x0, fail
    ldrb w1, [x0]
    cmp w1, #'o'
    b.eq outside
    cmp w1, #'p'
    b.eq inside

    mov x8, #167                // prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0): only so may everybody restrict themselves
    mov x0, #38
    mov x1, #1
    mov x2, #0
    mov x3, #0
    mov x4, #0
    svc #0
    mov x8, #444                // landlock_create_ruleset(data, 24, 0)
    adr x0, data
    mov x1, #24
    mov x2, #0
    svc #0
    tbnz w0, #31, fail
    mov w21, w0
next:
    ldr x1, [x20], #8
    cbz x1, fail
    ldrb w2, [x1]
    cbz w2, terminal
    mov x25, x1
    ldr x1, [x20], #8
    cbz x1, fail
    mov x8, #56                 // openat(AT_FDCWD, folder, O_PATH | O_CLOEXEC)
    mov x0, #-100
    mov x2, #0x280000
    svc #0
    tbnz w0, #31, next          // it is gone: nothing to allow
    mov w23, w0
    ldrb w2, [x25]
    cmp w2, #'-'
    b.eq checked
    mov x8, #80                 // fstat
    mov w0, w23
    add x1, sp, #128
    svc #0
    tbnz w0, #31, fail
    bl number
    ldr x3, [sp, #128]
    cmp x0, x3
    b.ne fail                   // another folder was put in its place
    bl number
    ldr x3, [sp, #136]
    cmp x0, x3
    b.ne fail
checked:
    adr x9, data
    ldr x9, [x9, #24]
    bl allow
    tbz w0, #31, opened
    adr x9, data                // no folder: the rights of a file
    ldr x9, [x9, #32]
    bl allow
opened:
    mov x8, #57                 // close
    mov w0, w23
    svc #0
    b next
terminal:                       // /dev/stdout and /dev/stderr open what these are; a pipe needs no rule and takes none
    mov w23, #1
    adr x9, data
    ldr x9, [x9, #32]
    bl allow
    mov w23, #2
    bl allow
    mov x8, #446                // landlock_restrict_self(ruleset, 0)
    mov w0, w21
    mov x1, #0
    svc #0
    tbnz w0, #31, fail
    mov x8, #57
    mov w0, w21
    svc #0
inside:
    mov x8, #57                 // this file
    mov x0, #8
    svc #0
    mov x8, #167                // prctl(PR_SET_DUMPABLE, 0): nobody traces process 1
    mov x0, #4
    mov x1, #0
    svc #0
    mov x8, #220                // clone(SIGCHLD, 0, 0, 0, 0)
    mov x0, #17
    mov x1, #0
    mov x2, #0
    mov x3, #0
    mov x4, #0
    svc #0
    tbnz w0, #31, fail
    cbz w0, command
    mov w23, w0
await:
    mov x8, #260                // wait4(-1, status, 0, 0)
    mov x0, #-1
    mov x1, sp
    mov x2, #0
    mov x3, #0
    svc #0
    cmp w0, w23
    b.eq ended
    cmn w0, #4                  // EINTR
    b.eq await
    tbz w0, #31, await
    b fail
ended:
    ldr w0, [sp]
    ands w1, w0, #0x7f
    b.eq exited
    add w0, w1, #128
    b exit
exited:
    ubfx w0, w0, #8, #8
exit:
    mov x8, #94                 // exit_group
    svc #0

command:
    mov x9, #0                  // SIG_DFL
    bl signals
    ldr x0, [x20, #16]
    cbz x0, search
    ldrb w1, [x0]
    cmp w1, #'/'
    b.ne search
    add x1, x20, #16
    mov x2, x22
    mov x8, #221                // execve
    svc #0
search:                         // env looks a name up, and says what is wrong
    ldr x0, [x20]
    mov x1, x20
    mov x2, x22
    mov x8, #221
    svc #0
fail:
    mov x8, #64                 // write
    mov x0, #2
    adr x1, said
    mov x2, #45                 // the length of what is said
    svc #0
    mov w0, #126
    b exit

outside:
    mov x9, #1                  // SIG_IGN
    bl signals
    ldr x1, [x20]
    mov w24, #9
    bl open
    ldr x1, [x20, #8]
    mov w24, #8
    bl open
    ldr x0, [x20, #16]
    add x1, x20, #16
    mov x2, x22
    mov x8, #221
    svc #0
    b fail

open:                           // x1: path, w24: the descriptor it becomes
    mov x8, #56                 // openat(AT_FDCWD, path, O_RDONLY)
    mov x0, #-100
    mov x2, #0
    svc #0
    tbnz w0, #31, fail
    cmp w0, w24
    b.eq done
    mov w23, w0
    mov w1, w24
    mov x2, #0
    mov x8, #24                 // dup3
    svc #0
    mov x8, #57
    mov w0, w23
    svc #0
done:
    ret

number:                         // x25: hexadecimal digits with a point or the end behind them; goes behind that
    mov x0, #0
digit:
    ldrb w1, [x25], #1
    cbz w1, done
    cmp w1, #'.'
    b.eq done
    sub w1, w1, #'0'
    cmp w1, #9
    b.ls add
    sub w1, w1, #39             // from a on
add:
    add x0, x1, x0, lsl #4
    b digit

allow:                          // x9: rights, w23: descriptor
    str x9, [sp, #32]
    str w23, [sp, #40]
    mov x8, #445                // landlock_add_rule(ruleset, PATH_BENEATH, rule, 0)
    mov w0, w21
    mov x1, #1
    add x2, sp, #32
    mov x3, #0
    svc #0
    ret

signals:                        // x9: what becomes of INT, QUIT and TERM
    mov x26, x30
    str x9, [sp, #64]
    str xzr, [sp, #72]
    str xzr, [sp, #80]
    str xzr, [sp, #88]
    mov x0, #2
    bl signal
    mov x0, #3
    bl signal
    mov x0, #15
    bl signal
    ret x26
signal:
    mov x8, #134                // rt_sigaction(signal, action, 0, 8)
    add x1, sp, #64
    mov x2, #0
    mov x3, #8
    svc #0
    ret

said:
    .ascii "the command cannot be started in its sandbox\n"
    .balign 8
data:                           // follows: handled files, network, scopes; rights in a folder, of a file
