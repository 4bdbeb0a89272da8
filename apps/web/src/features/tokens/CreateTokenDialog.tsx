import { Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { messages } from '@cadmus/model/messages'
import { takenNames } from '@cadmus/model/rules/names'
import { tokenName } from '@cadmus/model/rules/organisation'
import { ApiError, messageOf } from '../../api/error.ts'
import { useSession } from '../../api/session.ts'
import { createToken, type TokenAccess, useTokens } from '../../api/tokens.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { FormDialog, useSubmission } from '../../ui/FormDialog.tsx'
import { RadioGroup, type RadioOption } from '../../ui/RadioGroup.tsx'
import { Select } from '../../ui/Select.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { dayOf, minuteOf } from '../../ui/timestamp.ts'
import styles from './Tokens.module.css'

const leaving = {
  title: 'Close without copying?',
  text: 'The token has not been copied and cannot be shown again.',
  confirmLabel: 'Close',
}

/** Shows the secret of a new token once; closing without copying asks for confirmation. */
export function TokenSecretDialog({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  const [copied, setCopied] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied(true)
      notify('success', 'The token was copied.')
    } catch {
      // The clipboard needs a secure context and permission; the text can still be copied by keyboard.
      field.current?.select()
      notify('error', 'The browser blocked copying. The token is selected: press Ctrl+C.')
    }
  }

  return (
    <Dialog
      title="Access Token Created"
      description={name}
      width={640}
      entered={!copied}
      leaving={leaving}
      onClose={onClose}
      footer={
        <>
          <Button size="dialog" icon={Copy} variant={copied ? 'secondary' : 'primary'} onClick={() => void copy()}>
            Copy
          </Button>
          <CloseButton label="Done" variant={copied ? 'primary' : 'secondary'} />
        </>
      }
    >
      <div className={styles['fields']}>
        <Alert kind="warning">Copy the token now: it cannot be shown again. Keep it like a password.</Alert>
        <TextField
          ref={field}
          label="Token"
          mono
          readOnly
          value={secret}
          onFocus={event => event.target.select()}
          onCopy={() => setCopied(true)}
          onChange={() => undefined}
        />
      </div>
    </Dialog>
  )
}

export type ExpiryChoice = '30' | '90' | '365' | 'date'

export const expiryChoices: readonly { value: ExpiryChoice; label: string }[] = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
  { value: 'date', label: 'On a date' },
]

const longest = 365

/** Selectable days: from today to a year ahead. */
export function offeredDays(now: Date): { min: string; max: string } {
  return { min: dayOf(now), max: dayOf(daysAfter(now, longest)) }
}

/** Expiry of a token: some days from now, or the end of a chosen day. `problem`: why the day is invalid. */
export function expiryOf(choice: ExpiryChoice, day: string, now: Date): { at: Date } | { problem: string } {
  if (choice !== 'date') return { at: daysAfter(now, Number(choice)) }
  if (day === '') return { problem: 'this is a required field' }
  const { min, max } = offeredDays(now)
  if (day < min) return { problem: 'The expiry must be in the future.' }
  if (day > max) return { problem: 'An access token expires within a year.' }
  return { at: new Date(`${day}T23:59:59.999`) }
}

/** Keeps the local time across daylight saving changes. */
function daysAfter(now: Date, days: number): Date {
  const at = new Date(now)
  at.setDate(at.getDate() + days)
  return at
}

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
  const { busy, failure, reset, submit } = useSubmission()
  const problems = useProblems(form, opened, failure)
  const change = (part: Partial<Form>) => {
    setForm(before => ({ ...before, ...part }))
    reset()
  }

  async function finish() {
    setAttempted(true)
    const expiry = expiryOf(form.expiry, form.day, new Date())
    if (problems.name || 'problem' in expiry) return
    const name = form.name.trim()
    const isAdmin = isAdministrator && form.isAdmin
    onCreated(name, await createToken({ name, access: form.access, isAdmin, expiresAt: expiry.at.toISOString() }))
  }

  return (
    <FormDialog
      title="Create Access Token"
      busy={busy}
      entered={JSON.stringify(form) !== JSON.stringify(untouched)}
      error={problems.form}
      onClose={onClose}
      submitLabel="Create"
      onSubmit={() => void submit(finish)}
    >
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
    </FormDialog>
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
