import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

export type Shown = {
  value: string
  /** Whose property it is: when that changes, nothing is left of what was typed for the one before. */
  subject?: string | undefined
}
export type Refused = { text: string; problem: string }
/** What was typed for a value, what is said about it, what was not taken when the field was left, and whether it was to be taken. */
type Typed = Shown & { text: string; error: string | null; refused: Refused | null; applied: boolean }

/**
 * The text of a field that shows a value until something else is typed, and what is said about it. `onGone` is told of what was
 * refused and goes with the field, which nobody can type on any more.
 */
export function useFieldText({ value, subject }: Shown, onGone: (refused: Refused) => void) {
  const [typed, setTyped] = useState<Typed>(() => untouched({ value, subject }))
  // The value is what became of it (saved, another version), or it is another's: what was typed was about something else. What is
  // still being typed stays where somebody else changed the value below it.
  const isAbout = (known: Typed) => isStillAbout(known, { value, subject })
  const { text, error, refused, value: before } = isAbout(typed) ? typed : untouched({ value, subject })
  // The value may come back, as by Undo: what was typed for it before does not.
  useLayoutEffect(() => {
    if (isTouched(typed)) setTyped(known => (isAbout(known) ? known : untouched({ value, subject })))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only when another value is shown.
  }, [value, subject, typed.applied])
  const latest = useRef<Latest>({ text, value, subject, refused, isThere: false })
  useLayoutEffect(() => {
    latest.current = { text, value, subject, refused, isThere: true }
  }, [text, value, subject, refused])
  useLeaving(latest, subject, onGone)

  /** Whether an answer that was waited for is still about what is shown. */
  const isShown = () => latest.current.isThere && latest.current.subject === subject
  function set(changed: Partial<Typed>) {
    if (latest.current.subject !== subject || latest.current.value !== value) return
    // At once: what comes next may ask before it is rendered, or instead.
    const { text: last, refused: left } = { ...latest.current, ...changed }
    latest.current = { ...latest.current, text: last, refused: left }
    setTyped(known => ({ ...(isAbout(known) ? known : untouched({ value, subject })), ...changed }))
  }
  return {
    text,
    error,
    refused,
    /** What somebody else made of the value below what is being typed; null: nothing. */
    meanwhile: before === value || text === value ? null : value,
    change: (next: string) =>
      set(next === value ? untouched({ value, subject }) : { text: next, refused: null, applied: false }),
    /** It is about to be taken: the next value is what became of it. */
    applies: () => set({ applied: true }),
    say: (problem: string | null) => set(problem === null ? { error: null } : { error: problem, applied: false }),
    /** The value as it is, and why what was typed was not taken. */
    refuse: (left: Refused) => set({ ...untouched({ value, subject }), error: left.problem, refused: left }),
    /** The value as it is; nothing is said any longer about what was typed. */
    takeBack: () => set(untouched({ value, subject })),
    isShown,
    isStill: (asked: string) => isShown() && latest.current.text === asked,
  }
}

/** What a field shows at this moment, and whether it is there at all. */
type Latest = Shown & { text: string; refused: Refused | null; isThere: boolean }

/** When the field goes, or becomes another's. */
function useLeaving(latest: RefObject<Latest>, subject: string | undefined, onGone: (refused: Refused) => void): void {
  useLayoutEffect(
    () => () => {
      const { refused } = latest.current
      latest.current = { ...latest.current, isThere: false }
      if (refused) onGone(refused)
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- What is said is of the field that goes.
    [subject],
  )
}

function untouched({ value, subject }: Shown): Typed {
  return { value, subject, text: value, error: null, refused: null, applied: false }
}

function isStillAbout(known: Typed, { value, subject }: Shown): boolean {
  return known.subject === subject && (known.value === value || isTyping(known))
}

function isTyping({ text, value, applied }: Typed): boolean {
  return text !== value && !applied
}

/** Whether anything is left of what was typed. */
function isTouched({ text, value, error, refused }: Typed): boolean {
  return text !== value || error !== null || refused !== null
}
