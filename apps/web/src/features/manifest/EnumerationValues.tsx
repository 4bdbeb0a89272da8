import { enumerationTexts as texts } from '@cadmus/model/messages/enumerations'
import { valueFaults } from '@cadmus/model/rules/enumerations'
import { newUid } from '@cadmus/model/uid'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { classNames } from '../../ui/class-names.ts'
import { reasons } from '../../ui/reasons.ts'
import { rowsInView, useRowWindow } from '../../ui/use-window.ts'
import { type ValueColumn, type ValueRow, withCell, withMoved, withPasted } from './enumeration-rows.ts'
import field from '../../ui/Field.module.css'
import styles from './EnumerationValues.module.css'

/** As in the style sheet. */
const rowHeight = 32
const maxFaults = 3

type EnumerationValuesProps = {
  values: readonly ValueRow[]
  onChange: (values: readonly ValueRow[]) => void
}

/** A table of values and labels, whose last row is empty; Enter and the arrow keys go to other rows. */
export function EnumerationValues({ values, onChange }: EnumerationValuesProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [next, setNext] = useState(newUid)
  const [current, setCurrent] = useState(-1)
  const [moved, setMoved] = useState('')
  const view = useRowWindow(scroller)
  const rows = [...values, { uid: next, value: '', label: '' }]
  const faults = useMemo(
    () => valueFaults(values).map((fault, at) => (isBlank(values[at]) ? undefined : fault)),
    [values],
  )
  const listed = faults.flatMap((fault, at) => (fault ? [texts.faultIn(at + 1, fault.message)] : []))

  function change(changed: readonly ValueRow[]) {
    // The empty row became one of the values.
    if (changed.length > values.length) setNext(newUid())
    onChange(changed)
  }

  /** `isNext`: the row is there only after a change. */
  function focus(at: number, column: ValueColumn | 'remove', isNext = false) {
    const list = scroller.current
    if (!list) return
    const target = () => list.querySelector<HTMLElement>(`[data-row="${at}"] [data-column="${column}"]`)
    const there = isNext ? null : target()
    if (there) return there.focus()
    const top = at * rowHeight
    if (top < list.scrollTop || top + rowHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = Math.max(0, top - list.clientHeight / 2)
    setCurrent(at)
    requestAnimationFrame(() => target()?.focus())
  }

  function move(from: number, step: number, pressed: HTMLElement) {
    const changed = withMoved(values, from, step)
    if (changed === values) return
    onChange(changed)
    setCurrent(from + step)
    setMoved(texts.movedTo(values[from]?.value ?? '', from + step + 1, values.length))
    // Moving an element loses its focus.
    requestAnimationFrame(() => pressed.focus())
  }

  function press(event: KeyboardEvent<HTMLInputElement>, at: number, column: ValueColumn) {
    const { key, altKey, ctrlKey, metaKey, nativeEvent } = event
    if (ctrlKey || metaKey || nativeEvent.isComposing) return
    const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[key]
    // Enter in the empty row submits the dialog.
    if (step === undefined || (key === 'Enter' && at === values.length)) return
    event.preventDefault()
    if (altKey) return key === 'Enter' ? undefined : move(at, step, event.currentTarget)
    const to = Math.min(Math.max(at + step, 0), values.length)
    focus(to, key === 'Enter' ? 'value' : column)
  }

  const cell = (at: number, column: ValueColumn) => (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      data-column={column}
      className={classNames(column === 'value' && field['mono'])}
      aria-label={column === 'value' ? texts.valueOf(at + 1) : texts.labelOf(at + 1)}
      aria-invalid={faults[at]?.field === column || undefined}
      aria-describedby={faults[at]?.field === column ? `${id}-fault-${at}` : undefined}
      value={rows[at]?.[column] ?? ''}
      onFocus={() => setCurrent(at)}
      onChange={event =>
        change(withCell(rows.slice(0, Math.max(values.length, at + 1)), at, column, event.target.value))
      }
      onKeyDown={event => press(event, at, column)}
      onPaste={event => {
        const pasted = withPasted(values, at, column, event.clipboardData.getData('text/plain'))
        if (!pasted) return
        event.preventDefault()
        change(pasted)
        focus(pasted.length, 'value', true)
      }}
    />
  )

  return (
    <fieldset
      className={classNames(field['field'], styles['values'])}
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-hint`}
    >
      <div id={`${id}-label`} className={field['label']}>
        Values
        <span className={field['required']} aria-hidden>
          *
        </span>
      </div>
      <div className={styles['frame']}>
        <div className={styles['head']} aria-hidden>
          <span>Value</span>
          <span>Label</span>
        </div>
        <div ref={scroller} data-scroller className={styles['scroller']}>
          <ol className={styles['rows']} style={{ height: rows.length * rowHeight }}>
            {rowsInView(view, rows.length, rowHeight, current).map(at => (
              <li
                key={rows[at]?.uid}
                data-row={at}
                aria-setsize={rows.length}
                aria-posinset={at + 1}
                style={{ insetBlockStart: at * rowHeight }}
              >
                {cell(at, 'value')}
                {cell(at, 'label')}
                {faults[at] && (
                  <span id={`${id}-fault-${at}`} className="visually-hidden">
                    {faults[at].message}
                  </span>
                )}
                {at < values.length && (
                  <RowActions
                    {...{ at, move }}
                    count={values.length}
                    tabIndex={at === current ? 0 : -1}
                    remove={() => {
                      onChange(values.toSpliced(at, 1))
                      focus(at, at < values.length - 1 ? 'remove' : 'value', true)
                    }}
                  />
                )}
              </li>
            ))}
          </ol>
        </div>
      </div>
      <output className="visually-hidden">{moved}</output>
      <p id={`${id}-hint`} className={field['hint']}>
        {texts.valuesHint}
      </p>
      <Faults faults={listed} />
    </fieldset>
  )
}

type RowActionsProps = {
  at: number
  count: number
  tabIndex: number
  move: (from: number, step: number, pressed: HTMLElement) => void
  remove: () => void
}

function RowActions({ at, count, tabIndex, move, remove }: RowActionsProps) {
  return (
    <span className={styles['actions']}>
      <IconButton
        label={`Move value ${at + 1} up`}
        icon={ArrowUp}
        tabIndex={tabIndex}
        disabled={at === 0 && reasons.first}
        onClick={event => move(at, -1, event.currentTarget)}
      />
      <IconButton
        label={`Move value ${at + 1} down`}
        icon={ArrowDown}
        tabIndex={tabIndex}
        disabled={at === count - 1 && reasons.last}
        onClick={event => move(at, 1, event.currentTarget)}
      />
      <IconButton label={`Remove value ${at + 1}`} icon={X} data-column="remove" tabIndex={tabIndex} onClick={remove} />
    </span>
  )
}

function Faults({ faults }: { faults: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <div role="alert" className={classNames(styles['faults'], field['error'])}>
      {faults.slice(0, maxFaults).map(text => (
        <p key={text}>{text}</p>
      ))}
      {faults.length > maxFaults && <p>{texts.moreFaults(faults.length - maxFaults)}</p>}
    </div>
  )
}

function isBlank(row: ValueRow | undefined): boolean {
  return row === undefined || (row.value.trim() === '' && row.label.trim() === '')
}
