import { useEffectEvent, useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { giveBack } from './give-back.ts'
import { useUiSettings } from './settings.ts'
import { untilAnswered } from './typed-text.ts'
import { useFieldText, type Shown } from './use-field-text.ts'
import { usePress } from './use-press.ts'
import { useTyped } from './use-typed.ts'

export type Validate = (value: string) => string | null | Promise<string | null>
export type InlineTextValue = Shown & {
  /** The property's name. */
  label: string
  /** The rule's sentence, or null; asked 400 ms after the last key and before applying. */
  validate?: Validate
  /** Takes the value. After a rejection the old value is back, and what was typed can be had again. */
  onApply: (value: string) => void | Promise<void>
  /** Somebody begins to type, over the value as it is shown at this moment. */
  onBegin?: () => void
  /** It is shown to nobody, as a password. */
  hidden?: boolean
}
type FieldText = ReturnType<typeof useFieldText>

/** What is typed into a field of text: applied, refused with a sentence, or taken back. `input` is the field. */
export function useInlineText(given: InlineTextValue, input: RefObject<HTMLElement | null>) {
  const { value, validate, onBegin } = given
  const field = useFieldText(given, refused => tell(given, refused.text, refused.problem))
  const { text, error, refused, meanwhile, change, say, takeBack } = field
  const isPending = text !== value
  /** Whether a command asked for what is typed and was told no: it stays, to be mended. */
  const asked = useRef(false)
  const press = usePress(isPending)
  useDelayedCheck(given, field)

  const judged = (typed: string) => {
    asked.current = true
    return validate?.(typed) ?? null
  }
  useTyped(isPending, { text, validate: judged, onApply: typed => taken(typed, given, field) }, problem => {
    if (explain(given, field, text, problem)) input.current?.focus()
  })

  return {
    text,
    /** What is wrong with what is typed. */
    error: refused === null ? error : null,
    /** What was not taken: the value is shown again, and nothing is wrong with that. */
    refused,
    /** The value that came below what is typed, by somebody else; null: none did. */
    meanwhile,
    change(next: string) {
      if (!isPending) onBegin?.()
      change(next)
    },
    takeBack,
    /** Escape takes back what is typed, and the words about what was refused; those an undo too. Whether the key did. */
    takesBack: (event: KeyboardEvent) => takesBack(event, field, isPending),
    apply(next: string) {
      asked.current = false
      return apply(next, given, field, async () => {
        // What it was left for may be a command, which must not go on without it.
        await press()
        return asked.current
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
  const isMeant = event.key === 'Escape' ? isPending || error !== null : isUndo && refused !== null
  if (!isMeant) return false
  event.preventDefault()
  event.stopPropagation()
  takeBack()
  return true
}

async function apply(
  next: string,
  given: InlineTextValue,
  field: FieldText,
  isAsked: () => Promise<boolean>,
): Promise<void> {
  const problem = await untilAnswered(given.validate?.(next) ?? null)
  if (problem === null) {
    try {
      await applied(next, given, field)
    } catch (failure) {
      takenBack(given, field, next, failure)
    }
    return
  }
  // Typed on meanwhile: that is judged by itself.
  if (field.isShown() && !field.isStill(next)) return
  if (!explain(given, field, next, problem)) return
  const stays = await isAsked()
  if (!field.isShown()) tell(given, next, problem)
  if (stays || !field.isStill(next)) return
  field.refuse({ text: next, problem })
}

/** The same by a command or where the field goes: what is not taken stays where it is shown, to be mended. */
function taken(typed: string, given: InlineTextValue, field: FieldText): Promise<void> | undefined {
  const failed = (failure: unknown) => {
    explain(given, field, typed, wordsOf(failure))
    throw failure
  }
  try {
    return applied(typed, given, field)?.catch(failed)
  } catch (failure) {
    return failed(failure)
  }
}

/** From then on another value is what became of it. */
function applied(typed: string, { onApply }: InlineTextValue, field: FieldText): Promise<void> | undefined {
  field.applies()
  return onApply(typed) ?? undefined
}

/** The old value is back, and what was typed within reach: it may be taken at another try. What was typed on meanwhile stays. */
function takenBack(given: InlineTextValue, field: FieldText, typed: string, failure: unknown): void {
  const problem = wordsOf(failure)
  if (!field.isShown()) tell(given, typed, problem)
  else if (field.isStill(typed)) field.refuse({ text: typed, problem })
}

/** Says why it was not taken: in its place, or where that is gone wherever the person is now (false). */
function explain(given: InlineTextValue, { isShown, say }: FieldText, typed: string, problem: string): boolean {
  if (isShown()) say(problem)
  else tell(given, typed, problem)
  return isShown()
}

function tell({ label, hidden = false }: InlineTextValue, typed: string, problem: string): void {
  giveBack(typed, label, problem, { hidden })
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
  // With the frame, not after it: React asks for a turn of its own for what comes after, at each letter.
  useLayoutEffect(() => {
    if (!validate || text === value) return
    const timer = setTimeout(() => void check(), editorDebounce)
    return () => clearTimeout(timer)
  }, [text, value, validate, editorDebounce])
}
