import {
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { returnInput } from './return-input.ts'
import { useUiSettings } from './settings.ts'
import { trackPending } from './typed-text.ts'
import { useFieldText, type Shown } from './use-field-text.ts'
import { usePress } from './use-press.ts'
import { useTyped } from './use-typed.ts'

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
