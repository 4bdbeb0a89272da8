import { Lock, X } from 'lucide-react'
import { memo, type ReactNode, useId, useRef, useState } from 'react'
import { visibleText } from '@cadmus/model/display'
import { ChoiceEditor } from './ChoiceEditor.tsx'
import { SearchSelect } from './Combobox.tsx'
import type { ReadFailure } from './Field.tsx'
import { IconButton } from './IconButton.tsx'
import { Term } from './Tooltip.tsx'
import inline from './Inline.module.css'
import { InlineText } from './InlineText.tsx'
import { ListEditor } from './ListEditor.tsx'
import styles from './PropertyTable.module.css'
import { classNames } from './class-names.ts'
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
type PropertyTableProps = {
  groups: readonly PropertyGroup[]
  /** Reason why nothing can be changed; shown with a lock above the table. */
  locked?: string | null
}

/** Properties in groups, edited in place. */
export function PropertyTable({ groups, locked }: PropertyTableProps) {
  return (
    <div className={styles['panel']}>
      {locked && (
        <p className={styles['locked']}>
          <Lock size={14} aria-hidden />
          {locked}
        </p>
      )}
      {groups.map(group => (
        <Group key={group.id} group={group} />
      ))}
    </div>
  )
}

/** Memoised: unchanged groups do not re-render. */
const Group = memo(function Group({ group }: { group: PropertyGroup }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles['group']}>
        <Term hint={group.hint}>{group.title}</Term>
      </h3>
      <table aria-labelledby={id} className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {group.properties.map(property => (
            <tr key={property.id} data-property={property.id}>
              <th scope="row">
                <Term hint={property.hint}>{property.label}</Term>
              </th>
              <td>
                {property.beside ? (
                  <div className={styles['pair']}>
                    <Editor property={property} subject={group.subject} />
                    {property.beside}
                  </div>
                ) : (
                  <Editor property={property} subject={group.subject} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
})

function Editor({ property, subject }: { property: Property; subject: string | undefined }) {
  switch (property.editor) {
    case 'shown':
      return (
        <span className={classNames(inline['value'], property.mono && inline['mono'])}>
          <Term hint={property.explanation}>{breakable(visibleText(property.value || '-', { lines: true }))}</Term>
        </span>
      )
    case 'text':
      return <InlineText placeholder="-" {...property} subject={subject} />
    case 'checkbox':
    case 'select':
    case 'multi':
      return <ChoiceEditor property={property} />
    case 'search':
      return <PropertySearch key={subject} {...property} />
    case 'list':
      return <ListEditor {...property} subject={subject} />
    case 'custom':
      return property.render()
  }
}

/** Allows line breaks after slashes only. */
function breakable(text: string): ReactNode {
  const [first, ...rest] = text.split('/')
  return [first, ...rest.flatMap((part, index) => ['/', <wbr key={index} />, part])]
}

type PropertySearchProps = {
  label: string
  value: Option | null
  source: OptionSource<unknown>
  placeholder: string
  onApply: (value: Option) => void
  required?: string
}

/**
 * A search picker in the properties panel. Clearing a required value shows a message and changes nothing until
 * another value is selected.
 */
function PropertySearch({ required, onApply, value, ...field }: PropertySearchProps) {
  // The cleared value; when another value arrives from elsewhere, that is shown.
  const [emptied, setEmptied] = useState<string | null>(null)
  const isEmpty = value !== null && emptied === value.value
  const canClear = required !== undefined && value !== null && !isEmpty
  const clear = canClear ? () => setEmptied(value.value) : undefined
  const pair = useRef<HTMLDivElement>(null)
  return (
    <div ref={pair} className={styles['pair']}>
      <SearchSelect
        {...field}
        hideLabel
        inline
        hint={null}
        value={isEmpty ? null : value}
        error={isEmpty ? required : null}
        onClear={clear}
        onChange={option => {
          setEmptied(null)
          if (option.value !== value?.value) onApply(option)
        }}
      />
      {clear && (
        <IconButton
          label={`Clear ${field.label}`}
          icon={X}
          onClick={() => {
            clear()
            // The clear button disappears, so the picker receives the focus.
            pair.current?.querySelector<HTMLElement>('[role=combobox]')?.focus()
          }}
        />
      )}
    </div>
  )
}
