import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { returnInput } from './return-input.ts'
import { useUiSettings } from './settings.ts'
import { type ApplyTyped, holdTyped, trackPending } from './typed-text.ts'

export type Validate = (value: string) => string | null | Promise<string | null>
export type InlineTextValue = Shown & {
  label: string
  /** Returns an error message or null; called 400 ms after the last key and before applying. */
  validate?: Validate
  /** Applies the value. If it rejects, the old value is shown and the typed text can be restored. */
  onApply: (value: string) => void | Promise<void>
  /** Called when the user begins to edit the value shown. */
  onBegin?: () => void
  /** The value is a secret. */
  hidden?: boolean
  /** Shift+Enter inserts a line break. */
  multiline?: boolean
}
type FieldText = ReturnType<typeof useFieldText>

/** State of an inline text field, and the properties of its element `input`: Enter and blur apply, Escape reverts. */
export function useInlineText(options: InlineTextValue, input: RefObject<HTMLElement | null>) {
  const state = useInlineState(options, input)
  const { text, change, apply, takeBack, takesBack } = state
  const isPending = text !== options.value
  const props = {
    value: text,
    autoComplete: 'off',
    spellCheck: false,
    // Undo and redo of unapplied text belong to the field.
    'data-applied': isPending ? undefined : '',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => change(event.target.value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && !(options.multiline && event.shiftKey)) {
        event.preventDefault()
        if (isPending) void apply(text)
      }
      takesBack(event)
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (isPending) return void apply(text)
      // Leaving an unchanged field clears the message about a refused text, except for the button that restores it.
      if (!currentTarget.parentElement?.contains(relatedTarget instanceof Node ? relatedTarget : null)) takeBack()
    },
  }
  return { ...state, props }
}

/** State of an inline text field: text is applied, refused with a message, or reverted. `input` is the field. */
function useInlineState(options: InlineTextValue, input: RefObject<HTMLElement | null>) {
  const { value, validate, onBegin } = options
  const field = useFieldText(options, refused => notifyRefused(options, refused.text, refused.problem))
  const { text, error, refused, concurrent, change, say, takeBack } = field
  const isPending = text !== value
  /** Whether a command requested the text and it was refused; the text then remains in the field for correction. */
  const wasRefused = useRef(false)
  const press = usePress(isPending)
  useDelayedCheck(options, field)

  const judged = (typed: string) => {
    wasRefused.current = true
    return validate?.(typed) ?? null
  }
  useTyped(isPending, { text, validate: judged, onApply: typed => applyTyped(typed, options, field) }, problem => {
    if (explain(options, field, text, problem)) input.current?.focus()
  })

  return {
    text,
    /** Error of the typed text. */
    error: refused === null ? error : null,
    /** The refused text; the stored value is shown and has no error. */
    refused,
    /** The value set by another user during the edit; null if there is none. */
    concurrent,
    change(next: string) {
      if (!isPending) onBegin?.()
      change(next)
    },
    takeBack,
    /**
     * Escape reverts the text and clears the message about a refused one, which Undo also does. Returns whether the
     * key was handled.
     */
    takesBack: (event: KeyboardEvent) => takesBack(event, field, isPending),
    apply(next: string) {
      wasRefused.current = false
      return apply(next, options, field, async () => {
        // The blur may be caused by a command, which must wait for the result.
        await press()
        return wasRefused.current
      })
    },
    again(typed: string) {
      change(typed)
      say(refused?.problem ?? null)
      input.current?.focus()
    },
  }
}

function takesBack(event: KeyboardEvent, { error, refused, takeBack }: FieldText, isPending: boolean): boolean {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
  const isHandled = event.key === 'Escape' ? isPending || error !== null : isUndo && refused !== null
  if (!isHandled) return false
  event.preventDefault()
  event.stopPropagation()
  takeBack()
  return true
}

async function apply(
  next: string,
  options: InlineTextValue,
  field: FieldText,
  isQuestionOpen: () => Promise<boolean>,
): Promise<void> {
  const problem = await trackPending(options.validate?.(next) ?? null)
  if (problem === null) {
    try {
      await applied(next, options, field)
    } catch (failure) {
      showRefused(options, field, next, failure)
    }
    return
  }
  // The text was edited further and is validated separately.
  if (field.isShown() && !field.isStill(next)) return
  if (!explain(options, field, next, problem)) return
  const stays = await isQuestionOpen()
  if (!field.isShown()) notifyRefused(options, next, problem)
  if (stays || !field.isStill(next)) return
  field.refuse({ text: next, problem })
}

/** Applies the text for a command or when the field disappears; refused text remains in the field. */
function applyTyped(typed: string, options: InlineTextValue, field: FieldText): Promise<void> | undefined {
  const failed = (failure: unknown) => {
    explain(options, field, typed, wordsOf(failure))
    throw failure
  }
  try {
    return applied(typed, options, field)?.catch(failed)
  } catch (failure) {
    return failed(failure)
  }
}

/** The next value results from this text. */
function applied(typed: string, { onApply }: InlineTextValue, field: FieldText): Promise<void> | undefined {
  field.applies()
  return onApply(typed) ?? undefined
}

/** Shows the old value and keeps the text available for another attempt. Later edits are kept. */
function showRefused(options: InlineTextValue, field: FieldText, typed: string, failure: unknown): void {
  const problem = wordsOf(failure)
  if (!field.isShown()) notifyRefused(options, typed, problem)
  else if (field.isStill(typed)) field.refuse({ text: typed, problem })
}

/** Shows the reason in the field or, if the field was removed, as a notice. Returns false for a notice. */
function explain(options: InlineTextValue, { isShown, say }: FieldText, typed: string, problem: string): boolean {
  if (isShown()) say(problem)
  else notifyRefused(options, typed, problem)
  return isShown()
}

function notifyRefused({ label, hidden = false }: InlineTextValue, typed: string, problem: string): void {
  returnInput(typed, label, problem, { hidden })
}

function wordsOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

function useDelayedCheck({ value, validate }: InlineTextValue, { text, say, isStill }: FieldText): void {
  const { editorDebounce } = useUiSettings()
  const check = useEffectEvent(async () => {
    const problem = await validate?.(text)
    if (isStill(text)) say(problem ?? null)
  })
  // A layout effect avoids an additional render after every key.
  useLayoutEffect(() => {
    if (!validate || text === value) return
    const timer = setTimeout(() => void check(), editorDebounce)
    return () => clearTimeout(timer)
  }, [text, value, validate, editorDebounce])
}

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
function useFieldText({ value, subject }: Shown, onGone: (refused: Refused) => void) {
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

/**
 * Tracks pointer presses while `active`. Returns a function that gives a promise for the end of the current press, or
 * null.
 */
function usePress(active: boolean): () => Promise<void> | null {
  const press = useRef<Promise<void> | null>(null)
  useEffect(() => {
    if (!active) return
    const leaving = new AbortController()
    addEventListener('pointerdown', () => void begin(), { capture: true, signal: leaving.signal })
    return () => leaving.abort()

    async function begin() {
      const over = Promise.withResolvers<void>()
      press.current = over.promise
      const ended = new AbortController()
      const end = () => {
        ended.abort()
        // Resolves after the click event of the press.
        setTimeout(over.resolve)
      }
      for (const type of ['pointerup', 'pointercancel'])
        addEventListener(type, end, { capture: true, signal: ended.signal })
      await over.promise
      if (press.current === over.promise) press.current = null
    }
  }, [active])
  return () => press.current
}

type TypedField = {
  text: string
  validate: ((text: string) => string | null | Promise<string | null>) | undefined
  onApply: (text: string) => void | Promise<void>
}

/** Lets commands and the next document apply the text of a field. */
export function useTyped(isPending: boolean, typed: TypedField, onRefused: (problem: string) => void): void {
  const latest = useRef<ApplyTyped | null>(null)
  useLayoutEffect(() => {
    latest.current = isPending ? () => submit(typed, onRefused) : null
  })
  useLayoutEffect(() => (isPending ? holdTyped(() => latest.current?.() ?? true) : undefined), [isPending])
  useEffect(
    () => () => {
      // The field may disappear without blur, for example by the browser's Back.
      void latest.current?.()
    },
    [],
  )
}

/** The caller of `apply` shows its error. */
function attempt(apply: () => void | Promise<void>): boolean | Promise<void> {
  try {
    return apply() ?? true
  } catch {
    return false
  }
}

function submit(
  { text, validate, onApply }: TypedField,
  onRefused: (problem: string) => void,
): boolean | Promise<boolean> {
  const take = (problem: string | null): boolean | Promise<boolean> => {
    if (problem !== null) {
      onRefused(problem)
      return false
    }
    const applied = attempt(() => onApply(text))
    if (!(applied instanceof Promise)) return applied
    return applied.then(
      () => true,
      () => false,
    )
  }
  const problem = validate?.(text) ?? null
  return problem instanceof Promise ? problem.then(take) : take(problem)
}
