import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

export type Shown = {
  value: string
  /** Owner of the property; when it changes, text typed for the previous owner is dropped. */
  subject?: string | undefined
}
export type Refused = { text: string; problem: string }
/** Text typed for a value, its error, the refused text after leaving the field, and whether it is being applied. */
type Typed = Shown & { text: string; error: string | null; refused: Refused | null; applied: boolean }

/**
 * State of a text field that shows a value until it is edited. `onGone` receives a refused text when the field
 * disappears.
 */
export function useFieldText({ value, subject }: Shown, onGone: (refused: Refused) => void) {
  const [typed, setTyped] = useState<Typed>(() => untouched({ value, subject }))
  // The value changed because of the edit (saved, another version) or belongs to another owner, so the typed text is
  // obsolete. Text that is still being typed is kept if another user changed the value.
  const isAbout = (typedNow: Typed) => isCurrent(typedNow, { value, subject })
  const { text, error, refused, value: before } = isAbout(typed) ? typed : untouched({ value, subject })
  // The value may return, for example by Undo; the text typed before must not return.
  useLayoutEffect(() => {
    if (isTouched(typed)) setTyped(typedNow => (isAbout(typedNow) ? typedNow : untouched({ value, subject })))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only when another value is shown.
  }, [value, subject, typed.applied])
  const latest = useRef<Latest>({ text, value, subject, refused, isMounted: false })
  useLayoutEffect(() => {
    latest.current = { text, value, subject, refused, isMounted: true }
  }, [text, value, subject, refused])
  useLeaving(latest, subject, onGone)

  /** Whether a pending result still applies to the shown value. */
  const isShown = () => latest.current.isMounted && latest.current.subject === subject
  function set(changed: Partial<Typed>) {
    if (latest.current.subject !== subject || latest.current.value !== value) return
    // Updated immediately, because the next event may come before the next render.
    const { text: last, refused: refusal } = { ...latest.current, ...changed }
    latest.current = { ...latest.current, text: last, refused: refusal }
    setTyped(typedNow => ({ ...(isAbout(typedNow) ? typedNow : untouched({ value, subject })), ...changed }))
  }
  return {
    text,
    error,
    refused,
    /** The value set by another user during the edit; null if there is none. */
    concurrent: before === value || text === value ? null : value,
    change: (next: string) =>
      set(next === value ? untouched({ value, subject }) : { text: next, refused: null, applied: false }),
    /** The text is being applied, so the next value results from it. */
    applies: () => set({ applied: true }),
    say: (problem: string | null) => set(problem === null ? { error: null } : { error: problem, applied: false }),
    /** Shows the stored value again, with the reason why the text was refused. */
    refuse: (refusal: Refused) => set({ ...untouched({ value, subject }), error: refusal.problem, refused: refusal }),
    /** Shows the stored value again, without an error. */
    takeBack: () => set(untouched({ value, subject })),
    isShown,
    isStill: (submitted: string) => isShown() && latest.current.text === submitted,
  }
}

type Latest = Shown & { text: string; refused: Refused | null; isMounted: boolean }

/** Runs when the field is unmounted or gets another owner. */
function useLeaving(latest: RefObject<Latest>, subject: string | undefined, onGone: (refused: Refused) => void): void {
  useLayoutEffect(
    () => () => {
      const { refused } = latest.current
      latest.current = { ...latest.current, isMounted: false }
      if (refused) onGone(refused)
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The message concerns the field that goes.
    [subject],
  )
}

function untouched({ value, subject }: Shown): Typed {
  return { value, subject, text: value, error: null, refused: null, applied: false }
}

function isCurrent(typedNow: Typed, { value, subject }: Shown): boolean {
  return typedNow.subject === subject && (typedNow.value === value || isTyping(typedNow))
}

function isTyping({ text, value, applied }: Typed): boolean {
  return text !== value && !applied
}

function isTouched({ text, value, error, refused }: Typed): boolean {
  return text !== value || error !== null || refused !== null
}
