import type { MemberItem, UserItem } from '@cadmus/model/contract/admin-organisation'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { countUpTo } from '@cadmus/model/rules/organisation'
import { useMemo, useState, type FormEvent } from 'react'
import { ApiError } from '../../api/error.ts'
import { setMember, userSource } from '../../api/organisations.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import type { Option } from '../../ui/options.ts'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { mayLoseAccess } from './own-access.ts'
import { ConcurrentChanges } from './ConcurrentChanges.tsx'
import { describeConflicts, refusalOf, titleOf } from './labels.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Admin.module.css'

export type MemberDialogProps = {
  organisation: { code: string; name: string }
  /** The member whose subscription changes; null adds a member. */
  member: MemberItem | null
  onClose: () => void
}

export function MemberDialog({ organisation, member, onClose }: MemberDialogProps) {
  const before = member === null ? '1' : String(member.subscription)
  const [user, setUser] = useState<Option<UserItem> | null>(null)
  const [subscription, setSubscription] = useState(before)
  const [base, setBase] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState<unknown>(null)
  const source = useMemo(() => userSource(organisation.code), [organisation.code])
  const problem = countUpTo(subscription, limits.subscription)
  const breaksRule = user?.data.source === 'provider'
  const userId = member?.userId ?? user?.data.userId
  const theirs = describeConflicts(refused)
  // The refusal was about the previous input; concurrent values stay visible until they are replaced.
  const forget = () => setRefused(theirs.length === 0 ? null : refused)
  const wrong =
    (userId === undefined ? reasons.select('a user') : undefined) ??
    (breaksRule ? messages.administration.providersMember : reasons.field('Subscription', problem))

  async function save(event?: FormEvent) {
    event?.preventDefault()
    if (userId === undefined || wrong !== undefined || saving) return
    const number = Number(subscription)
    if (member?.subscription === number && theirs.length === 0) return onClose()
    if (number === 0 && !(await mayLoseAccess(organisation, [userId]))) return
    setSaving(true)
    try {
      await setMember(organisation.code, { userId, subscription: number, etag: base ?? member?.etag ?? null })
      const name = member?.fullname ?? user?.label ?? ''
      notify('success', member ? `Changed the subscription of ${name}.` : `Added ${name} to ${titleOf(organisation)}.`)
      onClose()
    } catch (failure) {
      // The concurrent values are now visible, so the next save may replace them.
      if (failure instanceof ApiError && failure.etag !== '') setBase(failure.etag.replaceAll('"', ''))
      setRefused(failure)
      setSaving(false)
    }
  }

  return (
    <Dialog
      title={member ? 'Change Subscription' : 'Add Member'}
      description={member ? `${member.fullname}, ${titleOf(organisation)}` : titleOf(organisation)}
      width={440}
      onClose={onClose}
      busy={saving}
      entered={user !== null || subscription !== before}
      error={refused === null || theirs.length > 0 ? null : refusalOf(refused, 'Failed to save the member')}
      footer={
        <>
          <CloseButton />
          <Button size="dialog" variant="primary" type="submit" form="member" busy={saving} disabled={wrong}>
            {member ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      <form id="member" className={styles['form']} onSubmit={event => void save(event)}>
        <ConcurrentChanges lines={theirs} />
        {!member && (
          <SearchSelect
            label="User"
            required
            source={source}
            value={user}
            placeholder="Choose a user"
            hint="Lists all users who have signed in to this console."
            emptyText="No users found. Users appear once they have signed in."
            onChange={next => {
              setUser(next)
              forget()
            }}
          />
        )}
        {breaksRule && <Alert kind="info">{messages.administration.providersMember}</Alert>}
        <TextField
          label="Subscription"
          required
          inputMode="numeric"
          value={subscription}
          hint="With 0, the user cannot choose the organisation."
          error={problem ?? null}
          onFocus={event => event.target.select()}
          onChange={text => {
            setSubscription(text)
            forget()
          }}
        />
      </form>
    </Dialog>
  )
}
