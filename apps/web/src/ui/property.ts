import type { ReactNode } from 'react'
import type { ReadFailure } from './Field.tsx'
import type { Option, OptionSource } from './options.ts'
import type { Validate } from './use-inline-text.ts'

/** A property and its editor. `shown` is plain text: read-only. */
export type Property = {
  id: string
  label: string
  /** Explains the label. */
  hint?: string | undefined
  /** Content after the value, such as a link to the named object. */
  beside?: ReactNode
  /** Shown in place of the value if the chosen objects have different ones; `value` is empty. */
  mixed?: string | undefined
} &
  /** `explanation`: of the value. */
  (
    | { editor: 'shown'; value: string; mono?: boolean; explanation?: string | undefined }
    | {
        editor: 'text'
        value: string
        validate?: Validate
        onApply: (value: string) => void | Promise<void>
        multiline?: boolean
        mono?: boolean
      }
    | { editor: 'checkbox'; value: boolean; onApply: (value: boolean) => void }
    | {
        editor: 'select'
        value: string | null
        options: readonly { value: string; label: string; words?: readonly string[] }[]
        onApply: (value: string) => void
        mono?: boolean
        placeholder?: string
        failure?: ReadFailure | null
      }
    | {
        editor: 'search'
        value: Option | null
        source: OptionSource<unknown>
        placeholder: string
        onApply: (value: Option) => void
        /** Message while the value is empty; clearing changes nothing until another value is selected. */
        required?: string
      }
    | {
        editor: 'multi'
        value: readonly string[]
        options: readonly string[]
        onApply: (value: string[]) => void
        emptyText?: string
        failure?: ReadFailure | null
        parse?: (text: string) => string[]
      }
    | {
        editor: 'list'
        value: readonly string[]
        onApply: (value: string[]) => void
        emptyText: string
        problem: (name: string, others: readonly string[]) => string | undefined
      }
    | { editor: 'custom'; render: () => ReactNode }
  )

export type PropertyGroup = {
  id: string
  title: string
  /** Explains the title. */
  hint?: string | undefined
  properties: readonly Property[]
  /** Owner of the group: with another owner, the fields show another object. */
  subject?: string
}
