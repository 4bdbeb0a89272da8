import { secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { propertyProblems } from '@cadmus/model/rules/configuration'
import { hiddenCharacters } from '@cadmus/model/rules/hidden-characters'
import { messages } from '@cadmus/model/messages'
import { Plus, Trash2 } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { AppliedText } from '../../ui/AppliedText.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import type { ConfigurationView } from './configuration-view.ts'
import { changeList, Group, ShownSetting } from './settings.tsx'
import { SecretText } from './SqlPart.tsx'
import styles from './Configuration.module.css'

type Property = Configuration['packageProperties']['customProperties'][number]

const blank: Property = { name: '', value: '', secret: false }

/** Property Configuration: pairs of name and value. The first row is always there. */
export function PropertiesPart({ view }: { view: ConfigurationView }) {
  const { customProperties } = view.draft.content.packageProperties
  const problems = useMemo(() => propertyProblems(view.draft.content), [view.draft.content])
  const [added, setAdded] = useState<number | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const rows = customProperties.length === 0 ? [blank] : customProperties

  const set = (make: (rows: readonly Property[]) => readonly Property[]) =>
    changeList(view, 'customProperties', ({ packageProperties: { customProperties: now } }) =>
      make(now.length === 0 ? [blank] : now),
    )

  if (view.locked !== null)
    return (
      <div className={styles['part']}>
        <div className={styles['settings']}>
          <Group title="Properties">
            {customProperties.map(({ name, value }, index) => (
              <ShownSetting key={`${index} ${name}`} label={name} value={value} />
            ))}
            {customProperties.length === 0 && <p className={styles['note']}>No properties to display</p>}
          </Group>
        </div>
      </div>
    )

  return (
    <div className={styles['part']}>
      <div className={styles['wide']}>
        <Group title="Properties">
          <table className={styles['properties']} aria-label="Properties">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Value</th>
                <th scope="col">Secret</th>
                <th scope="col">
                  <span className="visually-hidden">Delete</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <PropertyRow
                  // Rows have no identity but their place.
                  key={index}
                  row={row}
                  place={index + 1}
                  of={view.key}
                  others={rows.filter((_, other) => other !== index)}
                  problem={problems.get(index)}
                  focused={added === index}
                  onChange={next => set(now => now.with(index, { ...(now[index] ?? blank), ...next }))}
                  onDelete={() => {
                    set(now => now.toSpliced(index, 1))
                    // The row goes with its button; the focus does not.
                    add.current?.focus()
                  }}
                />
              ))}
            </tbody>
          </table>
          <Button
            ref={add}
            icon={Plus}
            className={styles['action']}
            onClick={() => {
              set(now => [...now, blank])
              setAdded(rows.length)
            }}
          >
            Add Property
          </Button>
        </Group>
      </div>
    </div>
  )
}

type PropertyRowProps = {
  row: Property
  place: number
  /** Whose properties they are. */
  of: string
  others: readonly Property[]
  problem: string | undefined
  focused: boolean
  onChange: (next: Partial<Property>) => void
  onDelete: () => void
}

function PropertyRow({ row, place, of, others, problem, focused, onChange, onDelete }: PropertyRowProps) {
  const { name, value, secret } = row
  const subject = `${of} ${place}`
  const rule = (typed: string) => {
    const isTaken = typed.trim() !== '' && others.some(other => other.name.trim() === typed.trim())
    return isTaken ? messages.propertyExists(typed.trim()) : (hiddenCharacters(typed) ?? null)
  }
  return (
    <tr>
      <td>
        <AppliedText
          label={`Name of property ${place}`}
          hideLabel
          mono
          subject={subject}
          value={name}
          validate={rule}
          problem={problem}
          focused={focused}
          onApply={typed => onChange({ name: typed.trim() })}
        />
      </td>
      <td>
        {secret ? (
          <SecretText
            label={`Value of property ${place}`}
            hideLabel
            subject={subject}
            value={value}
            locked={false}
            onApply={typed => onChange({ value: typed })}
          />
        ) : (
          <AppliedText
            label={`Value of property ${place}`}
            hideLabel
            subject={subject}
            value={value}
            onApply={typed => onChange({ value: typed })}
          />
        )}
      </td>
      <td>
        <span className={styles['secret']}>
          <Checkbox
            label={`Property ${place} is secret`}
            hideLabel
            checked={secret}
            // A stored secret is nobody's to see: in the open there is none.
            onChange={next => onChange({ secret: next, ...(value === secretPlaceholder ? { value: '' } : {}) })}
          />
        </span>
      </td>
      <td>
        <span className={styles['secret']}>
          <IconButton
            label={`Delete property ${place}`}
            icon={Trash2}
            danger
            disabled={place === 1 ? 'The first row cannot be deleted.' : false}
            onClick={onDelete}
          />
        </span>
      </td>
    </tr>
  )
}
