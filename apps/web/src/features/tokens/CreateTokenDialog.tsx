import { messages } from '@cadmus/model/messages'
import { takenNames } from '@cadmus/model/rules/names'
import { tokenName } from '@cadmus/model/rules/organisation'
import { type FormEvent, useState } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { useSession } from '../../api/session.ts'
import { createToken, type TokenAccess, useTokens } from '../../api/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { RadioGroup, type RadioOption } from '../../ui/RadioGroup.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { minuteOf } from '../../ui/timestamp.ts'
import { expiryChoices, type ExpiryChoice, expiryOf, offeredDays } from './expiry.ts'
import { TokenSecretDialog } from './TokenSecretDialog.tsx'
import styles from './Tokens.module.css'

const accesses: readonly RadioOption<TokenAccess>[] = [
  { value: 'read', label: 'Read only', hint: 'Lists, opens, validates and exports.' },
  { value: 'read-write', label: 'Read and write', hint: 'Also creates, changes and deletes on your behalf.' },
]

type Form = { name: string; access: TokenAccess; expiry: ExpiryChoice; day: string; isAdmin: boolean }
const untouched: Form = { name: '', access: 'read', expiry: '90', day: '', isAdmin: false }

/** Creates a token and shows its secret, which is held in component state only. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; secret: string } | null>(null)
  if (created) return <TokenSecretDialog {...created} onClose={onClose} />
  return <CreateForm onCreated={(name, secret) => setCreated({ name, secret })} onClose={onClose} />
}

type CreateFormProps = { onCreated: (name: string, secret: string) => void; onClose: () => void }

function CreateForm({ onCreated, onClose }: CreateFormProps) {
  const isAdministrator = useSession(session => session.user?.isAdmin ?? false)
  const [opened] = useState(() => new Date())
  const [form, setForm] = useState(untouched)
  const [attempted, setAttempted] = useState(false)
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState<unknown>(null)
  const problems = useProblems(form, opened, refused)
  const change = (part: Partial<Form>) => {
    setForm(before => ({ ...before, ...part }))
    setRefused(null)
  }

  async function finish(event: FormEvent) {
    event.preventDefault()
    setAttempted(true)
    const expiry = expiryOf(form.expiry, form.day, new Date())
    if (problems.name || 'problem' in expiry || saving) return
    setSaving(true)
    setRefused(null)
    const name = form.name.trim()
    try {
      const isAdmin = isAdministrator && form.isAdmin
      onCreated(name, await createToken({ name, access: form.access, isAdmin, expiresAt: expiry.at.toISOString() }))
    } catch (failure) {
      setRefused(failure)
      setSaving(false)
    }
  }

  return (
    <Dialog
      title="Create Access Token"
      busy={saving}
      entered={JSON.stringify(form) !== JSON.stringify(untouched)}
      error={problems.form}
      onClose={onClose}
      footer={
        <>
          <CloseButton />
          <Button size="dialog" variant="primary" type="submit" form="create-token" busy={saving}>
            Create
          </Button>
        </>
      }
    >
      <form id="create-token" noValidate className={styles['fields']} onSubmit={event => void finish(event)}>
        <TextField
          label="Name"
          required
          maxLength={200}
          hint="Appears in the audit logs beside your name."
          value={form.name}
          error={attempted || form.name !== '' ? problems.name : null}
          onChange={name => change({ name })}
        />
        <RadioGroup label="Access" options={accesses} value={form.access} onChange={access => change({ access })} />
        <Expiry form={form} now={opened} attempted={attempted} change={change} />
        {isAdministrator && (
          <Checkbox
            label="Administrator"
            hint="Includes your administrator rights in this organisation, for as long as you have them."
            checked={form.isAdmin}
            onChange={isAdmin => change({ isAdmin })}
          />
        )}
      </form>
    </Dialog>
  )
}

type ExpiryProps = { form: Form; now: Date; attempted: boolean; change: (part: Partial<Form>) => void }

function Expiry({ form, now, attempted, change }: ExpiryProps) {
  const expiry = expiryOf(form.expiry, form.day, now)
  const until = 'at' in expiry ? `Works until ${minuteOf(expiry.at.toISOString())}.` : null
  return (
    <div className={styles['pair']}>
      <Select
        label="Expires"
        options={expiryChoices}
        value={form.expiry}
        hint={form.expiry === 'date' ? null : until}
        onChange={choice => change({ expiry: choice })}
      />
      {form.expiry === 'date' && (
        <TextField
          label="Expiry Date"
          type="date"
          required
          {...offeredDays(now)}
          value={form.day}
          hint={until}
          error={'problem' in expiry && (attempted || form.day !== '') ? expiry.problem : null}
          onChange={day => change({ day })}
        />
      )}
    </div>
  )
}

/** Messages below the name and above the form, from the rules or the server. */
function useProblems({ name }: Form, now: Date, refused: unknown): { name: string | null; form: string | null } {
  const activeTokens = useTokens().data?.filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime()) ?? []
  const rule = tokenName(name, { taken: takenNames(activeTokens.map(token => token.name)) })
  if (refused === null) return { name: rule ?? null, form: null }
  const message = messageOf(refused, messages.failed.unexpected)
  const isOfName = refused instanceof ApiError && refused.errors.some(({ path }) => path === 'name')
  return isOfName ? { name: message, form: null } : { name: rule ?? null, form: message }
}
