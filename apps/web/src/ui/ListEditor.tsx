import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { OverwrittenValue } from './InlineNotes.tsx'
import { Checkbox } from './Checkbox.tsx'
import { CloseButton, Dialog } from './Dialog.tsx'
import { IconButton } from './IconButton.tsx'
import { TextField } from './TextField.tsx'
import { classNames } from './class-names.ts'
import { useReturnedInput } from './return-input.ts'
import { toggled } from './table-state.ts'
import { reasons } from './reasons.ts'
import styles from './Inline.module.css'

export type ListEditorProps = {
  /** Name of the property and title of the dialog, e.g. 'Choices'. */
  label: string
  value: readonly string[]
  onApply: (value: string[]) => void
  emptyText: string
  /** Validates a name against the other names. */
  problem: (name: string, others: readonly string[]) => string | undefined
  /** Owner of the list; the dialog closes when it changes. */
  subject?: string | undefined
  /** Shown in place of the number of items if the chosen objects have different lists. */
  mixed?: string | undefined
}

/** A list of texts edited in a dialog: add, multi-select, delete, reorder. */
export function ListEditor(props: ListEditorProps) {
  const { label, value, onApply, emptyText, problem, subject, mixed } = props
  const [open, setOpen] = useState(false)
  const [owner, setOwner] = useState(subject)
  if (owner !== subject) {
    setOwner(subject)
    setOpen(false)
  }
  return (
    <div className={styles['choices']}>
      <span className={classNames(mixed !== undefined && styles['mixed'])}>{mixed ?? value.length}</span>
      <Button variant="quiet" aria-label={`Edit ${label}`} onClick={() => setOpen(true)}>
        Edit
      </Button>
      {open && (
        <ListDialog
          {...{ label, value, emptyText, problem }}
          onClose={() => setOpen(false)}
          onSave={next => {
            setOpen(false)
            if (!isSame(next, value)) onApply(next)
          }}
        />
      )}
    </div>
  )
}

type ListDialogProps = Pick<ListEditorProps, 'label' | 'value' | 'emptyText' | 'problem'> & {
  onClose: () => void
  onSave: (value: string[]) => void
}

function ListDialog({ label, value, emptyText, problem, onClose, onSave }: ListDialogProps) {
  const [opened] = useState(value)
  const [items, setItems] = useState(opened)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [name, setName] = useState('')
  const [moved, setMoved] = useState('')
  const [tried, setTried] = useState(false)
  const isEmpty = name.trim() === ''
  const isEntered = !isEmpty || !isSame(items, opened)
  const decided = useReturnedInput(isEntered ? [...items, ...(isEmpty ? [] : [name])].join('\n') : null, label)
  // A trailing space may precede the next word, so it is validated only when the name is added.
  const error = isEmpty ? null : (problem(tried ? name : name.trimEnd(), items) ?? null)

  /** The items including the typed name; null if it is invalid, which the field shows. */
  function withTyped(): readonly string[] | null {
    setTried(true)
    if (isEmpty) return items
    return problem(name, items) === undefined ? [...items, name] : null
  }

  function add() {
    const next = withTyped()
    if (isEmpty || !next) return
    setItems(next)
    write('')
  }

  function save() {
    const next = withTyped()
    if (!next) return
    decided()
    onSave([...next])
  }

  function close() {
    decided()
    onClose()
  }

  function write(text: string) {
    setName(text)
    setTried(false)
  }

  function move(from: number, step: number, pressed: HTMLElement) {
    const item = items[from]
    const to = from + step
    if (item === undefined || to < 0 || to >= items.length) return
    setItems(items.toSpliced(from, 1).toSpliced(to, 0, item))
    setMoved(`${item} is now at position ${to + 1} of ${items.length}.`)
    // Moving an element loses its focus.
    requestAnimationFrame(() => pressed.focus())
  }

  return (
    <Dialog
      title={label}
      onClose={close}
      entered={isEntered}
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        save()
      }}
      footer={
        <>
          <CloseButton />
          <Button size="dialog" variant="primary" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      {!isSame(value, opened) && <OverwrittenValue value={value.join(', ')} />}
      <form
        className={styles['add']}
        onSubmit={event => {
          event.preventDefault()
          add()
        }}
      >
        <TextField label="Name" hideLabel placeholder="Name" value={name} error={error} onChange={write} />
        <Button size="dialog" icon={Plus} type="submit" disabled={isEmpty ? 'Type a name first.' : error}>
          Add
        </Button>
      </form>
      <div className={styles['bar']} aria-live="polite">
        {chosen.size > 0 && (
          <>
            <span>{`${chosen.size} Selected`}</span>
            <Button
              variant="danger"
              icon={Trash2}
              onClick={() => {
                setItems(items.filter(item => !chosen.has(item)))
                setChosen(new Set())
              }}
            >
              Delete
            </Button>
          </>
        )}
      </div>
      <output className="visually-hidden">{moved}</output>
      {items.length === 0 ? (
        <p className={styles['nothing']}>{emptyText}</p>
      ) : (
        <ul className={styles['list']}>
          {items.map((item, index) => (
            <li key={item}>
              <Checkbox label={item} checked={chosen.has(item)} onChange={() => setChosen(toggled(chosen, item))} />
              <IconButton
                label={`Move ${item} up`}
                icon={ArrowUp}
                disabled={index === 0 && reasons.first}
                onClick={event => move(index, -1, event.currentTarget)}
              />
              <IconButton
                label={`Move ${item} down`}
                icon={ArrowDown}
                disabled={index === items.length - 1 && reasons.last}
                onClick={event => move(index, 1, event.currentTarget)}
              />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at])
}
