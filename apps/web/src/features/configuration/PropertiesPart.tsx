import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type Configuration, isPlaceholder } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { type PropertyProblem, propertyProblems, typedValue } from '@cadmus/model/rules/configuration'
import { hiddenCharacters } from '@cadmus/model/rules/names'
import type { DraftKey } from '../../drafts/draft-key.ts'
import { AppliedText } from '../../ui/AppliedText.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './Configuration.module.css'
import { SecretText, shownSecret, useInputBinding } from './SecretText.tsx'
import { configurationStore } from '../../drafts/configuration-store.ts'
import type { ConfigurationView } from './configuration-view.ts'
import { refusedStore } from './refused-save.ts'
import { changeList, Group, Part, type SeenConfiguration, ShownSetting } from './settings.tsx'

const blank: Property = { name: '', value: '', secret: false }
const noRows: readonly Property[] = [blank]

export function PropertiesPart({ view }: { view: ConfigurationView }) {
  const { content } = view.draft
  const { customProperties } = content.packageProperties
  const problems = useMemo(() => propertyProblems(content), [content])
  const [added, setAdded] = useState<number | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const refused = useRefused(view.manifest.id)
  const rows = customProperties.length === 0 ? noRows : customProperties
  const keys = useRowKeys(rows)

  const set = (make: (rows: readonly Property[]) => readonly Property[], seen?: SeenConfiguration) => {
    const list = ({ packageProperties: { customProperties: now } }: Configuration) =>
      make(now.length === 0 ? noRows : now)
    changeList(view, 'customProperties', list, seen)
  }

  if (view.locked !== null)
    return (
      <Part view={view} tab="properties">
        <div className={styles['settings']}>
          <Group title="Properties">
            {customProperties.map(({ name, value, secret }, index) => (
              <ShownSetting key={`${index} ${name}`} label={name} value={secret ? shownSecret(value) : value} />
            ))}
            {customProperties.length === 0 && <p className={styles['note']}>No properties to display</p>}
          </Group>
        </div>
      </Part>
    )

  return (
    <Part view={view} tab="properties">
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
                  key={keys[index]}
                  subject={`${view.key} ${keys[index]}`}
                  row={row}
                  place={index + 1}
                  others={rows.filter((_, other) => other !== index)}
                  problem={problems.get(index)}
                  focused={refused?.property === index ? refused.field : added === index ? 'name' : null}
                  onChange={next => set(now => withChanged(now, { rows, keys }, index, next))}
                  seen={() => configurationStore.seen(view.key)}
                  onValue={(value, seen) => {
                    const isSecret = row.secret || isNowSecret(view.key, row.name)
                    // Text typed as a secret is stored as a secret, even if the row has changed.
                    const change = row.secret ? { value, secret: true } : { value }
                    set(now => withChanged(now, { rows, keys }, index, change), isSecret ? seen : null)
                  }}
                  onDelete={() => {
                    set(now => now.toSpliced(index, 1))
                    // Deleting the row removes the focused button.
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
    </Part>
  )
}

/** Whether the property became secret while its value was being typed. */
function isNowSecret(key: DraftKey, name: string): boolean {
  const content = configurationStore.get(key)?.draft.content
  return content?.packageProperties.customProperties.some(item => item.secret && item.name === name) ?? false
}

/** The rejected property of the last save, which gets the focus once. */
function useRefused(id: number) {
  const refused = useStore(refusedStore, state => (state.refused?.id === id ? state.refused : null))
  useEffect(() => {
    // Runs after the effects of the rows, which set the focus.
    if (refused) refusedStore.setState({ refused: null })
  }, [refused])
  return refused
}

type PropertyRowProps = {
  row: Property
  place: number
  subject: string
  others: readonly Property[]
  problem: PropertyProblem | undefined
  focused: 'name' | 'value' | null
  onChange: (next: Partial<Property>) => void
  seen: () => SeenConfiguration
  /** Applies the value, with the configuration stored when typing began. */
  onValue: (value: string, seen: SeenConfiguration) => void
  onDelete: () => void
}

function PropertyRow({ row, place, subject, others, problem, focused, ...handlers }: PropertyRowProps) {
  const { name, value, secret } = row
  const { onChange, onDelete, seen, onValue } = handlers
  const above = useInputBinding({ seen, onApply: onValue })
  const valueProblem = problem?.field === 'value' ? problem.message : undefined
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
          problem={problem?.field === 'name' ? problem.message : undefined}
          focused={focused === 'name'}
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
            problem={valueProblem}
            seen={seen}
            onApply={onValue}
          />
        ) : (
          <AppliedText
            label={`Value of property ${place}`}
            hideLabel
            subject={subject}
            // A stored secret is never shown: made public it starts empty.
            value={isPlaceholder(value) ? '' : value}
            focused={focused === 'value'}
            problem={valueProblem}
            validate={typed => typedValue(typed) ?? null}
            onBegin={above.begin}
            onApply={above.apply}
          />
        )}
      </td>
      <td>
        <span className={styles['secret']}>
          <Checkbox
            label={`Property ${place} is secret`}
            hideLabel
            checked={secret}
            onChange={next => onChange({ secret: next })}
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

type Property = Configuration['packageProperties']['customProperties'][number]

type KeyedRows = { rows: readonly Property[]; keys: readonly number[] }

/**
 * Keys that stay with their property when rows above are added or removed, so that unapplied text stays with it too.
 */
function useRowKeys(rows: readonly Property[]): readonly number[] {
  const [keyed, setKeyed] = useState<KeyedRows>(() => ({ rows, keys: rows.map((_, index) => index) }))
  if (keyed.rows === rows) return keyed.keys
  const next = { rows, keys: keysOf(rows, keyed) }
  setKeyed(next)
  return next.keys
}

/** Matches rows by name; a new name takes the key of the row in its place, unless that row moved. */
export function keysOf(rows: readonly Property[], { rows: before, keys }: KeyedRows): number[] {
  const byName = new Map(before.map(({ name }, index) => [name, keys[index]]))
  const names = new Set(rows.map(({ name }) => name))
  const used = new Set<number>()
  const take = (key: number | undefined) => {
    if (key === undefined || used.has(key)) return undefined
    used.add(key)
    return key
  }
  const matched = rows.map(({ name }, index) => {
    if (before[index]?.name === name) return take(keys[index])
    return take(byName.get(name))
  })
  let nextKey = Math.max(-1, ...keys)
  return matched.map((key, index) => {
    const previous = before[index]
    const inPlace =
      previous !== undefined && (previous.name === '' || !names.has(previous.name)) ? take(keys[index]) : undefined
    return key ?? inPlace ?? (nextKey += 1)
  })
}

/** Applies a change to the property seen at `index`, at its current index; adds the property if it was removed. */
export function withChanged(
  now: readonly Property[],
  seen: KeyedRows,
  index: number,
  change: Partial<Property>,
): readonly Property[] {
  const at = keysOf(now, seen).indexOf(seen.keys[index] ?? -1)
  const row = now[at]
  if (row) return now.with(at, { ...row, ...change })
  const removed = seen.rows[index]
  return removed ? [...now, { ...removed, ...change }] : now
}
