import { type Check, withSettledChecks } from '@cadmus/model/checks'
import { checkFunctions } from '@cadmus/model/conditions/condition'
import { conditionText, nameText, readCondition } from '@cadmus/model/conditions/text'
import type { EntityContent } from '@cadmus/model/entity'
import { checkTexts as texts } from '@cadmus/model/messages/checks'
import { foldName } from '@cadmus/model/paths'
import { checkFault } from '@cadmus/model/rules/checks'
import { useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { MemberColumn } from './GroupDialog.tsx'
import { ItemDialog } from './ItemDialog.tsx'
import styles from './Group.module.css'

export type CheckDialogProps = {
  /** The check to change; null for a new one. */
  check: Check | null
  uid: string
  columns: readonly MemberColumn[]
  content: EntityContent
  onApply: (check: Check) => void
  onDelete: () => void
  onClose: () => void
}

/** Edits the condition, message and name of a check; Save of the entity stores it. */
export function CheckDialog({ check, uid, columns, content, onApply, onDelete, onClose }: CheckDialogProps) {
  const former = {
    text: check ? conditionText(check.condition) : '',
    name: check?.name ?? '',
    message: check?.message ?? '',
  }
  const [{ text, name, message }, setEdited] = useState(former)
  const change = (part: Partial<typeof former>) => setEdited(edited => ({ ...edited, ...part }))
  const read = readCondition(text)
  const edited =
    'fault' in read
      ? undefined
      : settled({ uid, name: name.trim(), message: message.trim(), condition: read.condition }, content)
  const fault = 'fault' in read ? read.fault : edited && checkFault(edited, content)
  const isOfName = fault === texts.name || fault === texts.sameName(name.trim())
  const isOfMessage = fault === texts.message

  return (
    <ItemDialog
      title={check ? texts.editTitle : texts.addTitle}
      isNew={check === null}
      entered={text !== former.text || name !== former.name || message !== former.message}
      width={520}
      fault={fault}
      deletion={texts.deletion}
      onApply={() => edited && onApply(edited)}
      onDelete={onDelete}
      onClose={onClose}
    >
      <ConditionField
        value={text}
        columns={columns}
        error={text.trim() !== '' && fault !== undefined && !isOfName && !isOfMessage ? fault : null}
        onChange={next => change({ text: next })}
      />
      <TextField
        label={texts.messageLabel}
        hint={texts.messageHint}
        value={message}
        error={isOfMessage ? fault : null}
        onChange={next => change({ message: next })}
      />
      <TextField
        label="Name"
        hint={texts.nameHint}
        mono
        value={name}
        error={isOfName ? fault : null}
        onChange={next => change({ name: next })}
      />
    </ItemDialog>
  )
}

/** The check with the columns of the entity. */
function settled(check: Check, content: EntityContent): Check {
  return withSettledChecks({ ...content, checks: [check] }).checks[0] ?? check
}

type ConditionFieldProps = {
  value: string
  columns: readonly MemberColumn[]
  error: string | null
  onChange: (text: string) => void
}

/** Suggestions shown at once. */
const maxSuggestions = 8

/** The text of a condition, with the attributes and functions that complete the word at the caret. */
function ConditionField({ value, columns, error, onChange }: ConditionFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(value.length)
  const word = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(value.slice(0, caret))?.[0] ?? ''
  const offered = [...columns.map(column => nameText(column.name)), ...checkFunctions.map(name => `${name}(`)]
  const suggestions = offered
    .filter(one => foldName(one).replace(/^"/, '').startsWith(foldName(word)) && one !== word)
    .slice(0, maxSuggestions)

  // The word is not yet what it will be.
  const isBeginning = word !== '' && suggestions.length > 0 && error === texts.unknown(word)

  function complete(suggestion: string) {
    const start = caret - word.length
    const next = start + suggestion.length
    onChange(`${value.slice(0, start)}${suggestion}${value.slice(caret)}`)
    setCaret(next)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(next, next)
    })
  }

  return (
    <>
      <TextArea
        label={texts.condition}
        hint={texts.conditionHint}
        mono
        ref={field}
        rows={3}
        value={value}
        error={isBeginning ? null : error}
        onSelect={event => setCaret(event.currentTarget.selectionStart)}
        onChange={onChange}
      />
      {suggestions.length > 0 && (
        <fieldset className={styles['suggestions']} aria-label={texts.suggestions}>
          {suggestions.map(suggestion => (
            <Button key={suggestion} variant="quiet" onClick={() => complete(suggestion)}>
              {suggestion}
            </Button>
          ))}
        </fieldset>
      )}
    </>
  )
}
