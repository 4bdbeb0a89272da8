import { useLayoutEffect, useRef, useState } from 'react'

export type Shown = {
  value: string
  /** Whose property it is: when that changes, nothing is left of what was typed for the one before. */
  subject?: string | undefined
}
type Refused = { text: string; problem: string }
/** What was typed for a value, what is said about it, and what was not taken when the field was left. */
type Typed = Shown & { text: string; error: string | null; refused: Refused | null }

/**
 * The text of a field that shows a value until something else is typed, and what is said about it. `onGone` is told of what was
 * refused and goes with the field, which nobody can type on any more.
 */
export function useFieldText({ value, subject }: Shown, onGone: (refused: Refused) => void) {
  const [typed, setTyped] = useState<Typed>(() => untouched({ value, subject }))
  // The value changed elsewhere (saved, another version), or it is another's: what was typed was about something else.
  const isAbout = (known: Typed) => known.value === value && known.subject === subject
  const { text, error, refused } = isAbout(typed) ? typed : untouched({ value, subject })
  // The value may come back, as by Undo: what was typed for it before does not.
  useLayoutEffect(() => {
    if (isTouched(typed)) setTyped(known => (isAbout(known) ? known : untouched({ value, subject })))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only when another value is shown.
  }, [value, subject])
  const latest = useRef({ text, value, subject, refused, isThere: false })
  useLayoutEffect(() => {
    latest.current = { text, value, subject, refused, isThere: true }
  }, [text, value, subject, refused])
  useLayoutEffect(
    () => () => {
      const { refused: left } = latest.current
      latest.current = { ...latest.current, isThere: false }
      if (left) onGone(left)
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- What is said is of the field that goes.
    [subject],
  )

  /** Whether an answer that was waited for is still about what is shown. */
  const isShown = () => latest.current.isThere && latest.current.subject === subject
  function set(changed: Partial<Typed>) {
    if (latest.current.subject !== subject || latest.current.value !== value) return
    // At once: what comes next may ask before it is rendered, or instead.
    const { text: next = latest.current.text, refused: left = latest.current.refused } = changed
    latest.current = { ...latest.current, text: next, refused: left }
    setTyped(known => ({ ...(isAbout(known) ? known : untouched({ value, subject })), ...changed }))
  }
  return {
    text,
    error,
    refused,
    change: (next: string) =>
      set(next === value ? { text: next, refused: null, error: null } : { text: next, refused: null }),
    say: (problem: string | null) => set({ error: problem }),
    /** The value as it is, and why what was typed was not taken. */
    refuse: (left: Refused) => set({ text: value, error: left.problem, refused: left }),
    /** The value as it is; nothing is said any longer about what was typed. */
    takeBack: () => set(untouched({ value, subject })),
    isShown,
    isStill: (asked: string) => isShown() && latest.current.text === asked,
  }
}

function untouched({ value, subject }: Shown): Typed {
  return { value, subject, text: value, error: null, refused: null }
}

/** Whether anything is left of what was typed. */
function isTouched({ text, value, error, refused }: Typed): boolean {
  return text !== value || error !== null || refused !== null
}
