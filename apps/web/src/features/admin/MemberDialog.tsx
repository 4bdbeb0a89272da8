import type { MemberItem, UserItem } from '@cadmus/model/contract/admin-organisation'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { countUpTo } from '@cadmus/model/rules/organisation'
import { useMemo, useState } from 'react'
import { setMember, userSource } from '../../api/organisations.ts'
import { Alert } from '../../ui/Alert.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import type { Option } from '../../ui/options.ts'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { mayLoseAccess } from './own-access.ts'
import { ConcurrentChanges, useGuardedSubmission } from './ConcurrentChanges.tsx'
import { titleOf } from './labels.ts'
import { reasons } from '../../ui/reasons.ts'

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
  const { busy, error, theirs, reset, submit } = useGuardedSubmission(member?.etag ?? null, 'Failed to save the member')
  const source = useMemo(() => userSource(organisation.code), [organisation.code])
  const problem = countUpTo(subscription, limits.subscription)
  const breaksRule = user?.data.source === 'provider'
  const userId = member?.userId ?? user?.data.userId
  const wrong =
    (userId === undefined ? reasons.select('a user') : undefined) ??
    (breaksRule ? messages.administration.providersMember : reasons.field('Subscription', problem))

  async function save(base: string | null) {
    if (userId === undefined) return
    const number = Number(subscription)
    if (member?.subscription === number && theirs.length === 0) return onClose()
    if (number === 0 && !(await mayLoseAccess(organisation, [userId]))) return
    await setMember(organisation.code, { userId, subscription: number, etag: base?.replaceAll('"', '') ?? null })
    const name = member?.fullname ?? user?.label ?? ''
    notify('success', member ? `Changed the subscription of ${name}.` : `Added ${name} to ${titleOf(organisation)}.`)
    onClose()
  }

  return (
    <FormDialog
      title={member ? 'Change Subscription' : 'Add Member'}
      description={member ? `${member.fullname}, ${titleOf(organisation)}` : titleOf(organisation)}
      width={440}
      onClose={onClose}
      busy={busy}
      entered={user !== null || subscription !== before}
      error={error}
      submitLabel={member ? 'Save' : 'Add'}
      blocked={wrong}
      onSubmit={() => void submit(save)}
    >
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
            reset()
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
          reset()
        }}
      />
    </FormDialog>
  )
}
