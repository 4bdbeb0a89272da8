import type { MemberItem, OrganisationAnswer } from '@cadmus/model/contract/admin-organisation'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { PencilLine, UserMinus, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { readFailure } from '../../api/read-failure.ts'
import { removeMember, useMembers } from '../../api/organisations.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import type { MenuEntry } from '../../ui/MenuEntries.tsx'
import { Paging } from '../../ui/Paging.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { usePage } from '../../ui/use-page.ts'
import { confirm } from '../../workbench/confirm.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { memberDialog } from './dialogs.ts'
import { mayLoseAccess } from './own-access.ts'
import { formatSubscription, titleOf } from './labels.ts'
import styles from './Admin.module.css'

const [firstSize] = limits.tablePageSizes
/** Paging happens on the server: the table shows each page whole. */
const largest = Math.max(...limits.tablePageSizes)
const idOf = ({ source, userId }: MemberItem) => `${source}:${userId}`
const isStored = ({ source }: MemberItem) => source === 'console'
const mayChange = (member: MemberItem) => isStored(member) && member.inEffect

export function MembersTab({ organisation }: { organisation: OrganisationAnswer }) {
  const { code } = organisation
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { page, setPage, size, setSize } = usePage(firstSize, JSON.stringify([code, search]))
  const read = useMembers(code, search, { page, size })
  const readError = readFailure(read, 'The members could not be read.')
  const { data, isPending, isPlaceholderData } = read
  const members = data?.members ?? []
  const total = data?.totalElements ?? 0
  const selected = members.filter(member => chosen.has(idOf(member)))
  const [only] = selected
  const change = (member: MemberItem) =>
    mayChange(member)
      ? openDialog(memberDialog, { organisation, member })
      : notify('info', messages.administration.providersMember)

  async function remove(removals: readonly MemberItem[]) {
    if (removals.length === 0 || !(await mayRemove(organisation, removals))) return
    const failed = await removeEach(code, removals)
    setChosen(new Set(failed.map(idOf)))
  }

  const entriesFor = (member: MemberItem): MenuEntry[] => [
    {
      kind: 'item',
      id: 'change',
      label: 'Change Subscription',
      icon: PencilLine,
      disabled: mayChange(member) ? false : messages.administration.providersMember,
      run: () => change(member),
    },
    {
      kind: 'item',
      id: 'remove',
      label: 'Remove Member',
      icon: UserMinus,
      danger: true,
      disabled: isStored(member) ? false : messages.administration.providersMember,
      run: () => void remove([member]),
    },
  ]
  const whyUnchangeable =
    ((selected.length !== 1 || !only) && 'Select one member first.') ||
    (only && !mayChange(only) && messages.administration.providersMember)
  const undeletable = selected.every(isStored) ? false : messages.administration.providersMember
  return (
    <div className={styles['tab']}>
      <div className={styles['tools']}>
        <SearchBox label="Search members" value={search} onSearch={setSearch} />
        <Button
          icon={UserPlus}
          variant="primary"
          onClick={() => openDialog(memberDialog, { organisation, member: null })}
        >
          Add Member
        </Button>
        <Button icon={PencilLine} disabled={whyUnchangeable} onClick={() => only && change(only)}>
          Change Subscription
        </Button>
      </div>
      {members.some(({ source }) => source === 'provider') && (
        <Alert kind="info">The identity provider manages some of these memberships. They are read-only here.</Alert>
      )}
      <DataTable
        label="Members"
        columns={columns}
        rows={members}
        rowId={idOf}
        rowName={({ fullname }) => fullname}
        selected={chosen}
        onSelect={setChosen}
        onOpen={change}
        entriesFor={entriesFor}
        onDelete={() => void remove(selected)}
        deleteLabel="Remove"
        undeletable={undeletable}
        pageSize={largest}
        loading={isPending && !readError}
        stale={isPlaceholderData}
        minWidth="720px"
        empty={
          readError ? (
            <UnreadState failure={readError} />
          ) : (
            <EmptyState icon={Users} text={search === '' ? 'No members yet.' : 'No members found'} />
          )
        }
      />
      {total > firstSize && (
        <Paging
          page={page}
          pages={Math.max(1, Math.ceil(total / size))}
          total={total}
          size={size}
          sizes={limits.tablePageSizes}
          onPage={setPage}
          onSize={setSize}
        />
      )}
    </div>
  )
}

async function mayRemove(organisation: OrganisationAnswer, members: readonly MemberItem[]): Promise<boolean> {
  const working = members.filter(({ inEffect }) => inEffect).map(({ userId }) => userId)
  if (!(await mayLoseAccess(organisation, working))) return false
  return confirm({
    title: 'Remove Member',
    text: `Do you really want to remove ${members.length === 1 ? 'this member' : `these ${members.length} members`} from ${titleOf(organisation)}? Access ends with their next request. Their work stays.`,
    details: members.map(({ fullname, email }) => visibleText(email === '' ? fullname : `${fullname}, ${email}`)),
    confirmLabel: 'Remove',
    danger: true,
  })
}

/** Returns the members that could not be removed. */
async function removeEach(code: string, members: readonly MemberItem[]): Promise<MemberItem[]> {
  const failed: MemberItem[] = []
  for (const member of members) {
    try {
      // One request per member: each is an entry in the log.
      await removeMember(code, member)
    } catch (error) {
      failed.push(member)
      notify('error', `${member.fullname}: ${messageOf(error, messages.failed.unexpected)}`)
    }
  }
  const removed = members.length - failed.length
  if (removed > 0) notify('success', removed === 1 ? '1 member removed.' : `${removed} members removed.`)
  return failed
}

const columns: readonly Column<MemberItem>[] = [
  { id: 'name', header: 'Name', cell: ({ fullname }) => visibleText(fullname) },
  { id: 'username', header: 'User name', cell: ({ username }) => visibleText(username), width: '112px' },
  { id: 'email', header: 'E-mail', cell: ({ email }) => visibleText(email) },
  {
    id: 'subscription',
    header: 'Subscription',
    cell: ({ subscription, inEffect }) => (inEffect ? formatSubscription(subscription) : 'Not in effect'),
    width: '128px',
  },
  {
    id: 'source',
    header: 'Set by',
    cell: ({ source }) => (source === 'provider' ? 'Identity provider' : 'Administrator'),
    width: '136px',
  },
]
