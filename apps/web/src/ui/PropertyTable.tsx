import { Info, Lock, X } from 'lucide-react'
import { Fragment, memo, type ReactNode, useId, useRef, useState } from 'react'
import { visibleText } from '@cadmus/model/display'
import { ChoiceEditor } from './ChoiceEditor.tsx'
import { SearchSelect } from './Combobox.tsx'
import { IconButton } from './IconButton.tsx'
import { Term } from './Tooltip.tsx'
import inline from './Inline.module.css'
import { InlineText } from './InlineText.tsx'
import { ListEditor } from './ListEditor.tsx'
import styles from './PropertyTable.module.css'
import { classNames } from './class-names.ts'
import type { Option, OptionSource } from './options.ts'
import type { Property, PropertyGroup } from './property.ts'

type PropertyTableProps = {
  groups: readonly PropertyGroup[]
  /** Reason why nothing can be changed; shown with a lock above the table. */
  locked?: string | null
}

/** Properties in groups, edited in place. */
export function PropertyTable({ groups, locked }: PropertyTableProps) {
  const [explains, setExplains] = useState(false)
  const firstExplained = groups.find(isExplained)
  return (
    <div className={styles['panel']}>
      {locked && (
        <p className={styles['locked']}>
          <Lock size={14} aria-hidden />
          {locked}
        </p>
      )}
      {groups.map(group => (
        <Group
          key={group.id}
          group={group}
          explains={explains}
          onExplain={group === firstExplained ? setExplains : null}
        />
      ))}
    </div>
  )
}

function isExplained({ hint, properties }: PropertyGroup): boolean {
  return hint !== undefined || properties.some(property => explanationOf(property) !== undefined)
}

function explanationOf(property: Property): string | undefined {
  const ofValue = property.editor === 'shown' ? property.explanation : undefined
  return [property.hint, ofValue].filter(text => text !== undefined).join(' ') || undefined
}

/** `explains`: shows explanations in the table, besides the tooltips. `onExplain`: null in groups without the toggle. */
type GroupProps = { group: PropertyGroup; explains: boolean; onExplain: ((explains: boolean) => void) | null }

/** Memoised: unchanged groups do not re-render. */
const Group = memo(function Group({ group, explains, onExplain }: GroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={styles['head']}>
        <h3 id={id} className={styles['group']}>
          <Term hint={group.hint}>{group.title}</Term>
        </h3>
        {onExplain && (
          <IconButton label="Explain terms" icon={Info} aria-pressed={explains} onClick={() => onExplain(!explains)} />
        )}
      </div>
      {explains && group.hint !== undefined && <p className={styles['explanation']}>{group.hint}</p>}
      <table aria-labelledby={id} className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {group.properties.map(property => (
            <Fragment key={property.id}>
              <tr
                data-property={property.id}
                data-explained={(explains && explanationOf(property) !== undefined) || undefined}
              >
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
              {explains && explanationOf(property) !== undefined && (
                <tr className={styles['explained']}>
                  <td colSpan={2}>{explanationOf(property)}</td>
                </tr>
              )}
            </Fragment>
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
      return <InlineText {...property} placeholder={property.mixed ?? '-'} subject={subject} />
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
