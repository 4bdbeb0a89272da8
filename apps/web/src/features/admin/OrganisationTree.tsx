import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/visible-text'
import type { OrganisationItem } from '@cadmus/model/contract/admin-organisation'
import { Building2, Plus } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { useOrganisations } from '../../api/organisations.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { Tree, type TreeRow } from '../../ui/Tree.tsx'
import { openDialog } from '../../workbench/dialogs.ts'
import { createOrganisationDialog } from './dialogs.ts'
import { titleOf } from './words.ts'
import styles from './Admin.module.css'

export type OrganisationTreeProps = {
  /** The code of the one that is shown. */
  selected: string | null
  onOpen: (code: string) => void
}

/** The organisations by name, twenty more at a time, with the search over them. */
export function OrganisationTree({ selected, onOpen }: OrganisationTreeProps) {
  const [search, setSearch] = useState('')
  const { data, error, isPending, isFetching, fetchNextPage, refetch } = useOrganisations(search)
  const found = eachOnce(data?.pages.flatMap(page => page.organisations) ?? [])
  const total = data?.pages.at(-1)?.totalElements ?? 0
  const rows = rowsOf(found, {
    total,
    isFetching,
    error: error ? messageOf(error, messages.failed.unexpected) : null,
  })
  const create = () =>
    openDialog(createOrganisationDialog, {
      onCreated: ({ code }) => {
        setSearch('')
        onOpen(code)
      },
    })
  const isEmpty = !isPending && !error && found.length === 0
  return (
    <nav aria-label="Organisations" className={styles['sidebar']}>
      <header className={styles['head']}>
        <h2>Organisations</h2>
        <IconButton label="Create Organisation" icon={Plus} onClick={create} />
      </header>
      <div className={styles['search']}>
        <SearchBox label="Search organisations" value={search} onSearch={setSearch} />
      </div>
      <div className={styles['list']} data-empty={isEmpty || undefined}>
        <Tree
          label="Organisations"
          rows={rows}
          selected={selected}
          onToggle={() => undefined}
          onOpen={onOpen}
          onMore={id => void (id === errorRow ? refetch() : fetchNextPage())}
          entriesFor={() => [{ kind: 'item', id: 'create', label: 'Create Organisation', icon: Plus, run: create }]}
        />
        {isEmpty && (
          <EmptyState
            icon={Building2}
            text={search === '' ? 'No organisations to display.' : 'No organisations found'}
          />
        )}
      </div>
    </nav>
  )
}

const errorRow = '>error'
const moreRow = '>more'

type Found = { total: number; isFetching: boolean; error: string | null }

function rowsOf(found: readonly OrganisationItem[], { total, isFetching, error }: Found): TreeRow[] {
  const setSize = found.length + 1
  const line = { level: 1, expanded: null, posInSet: setSize, setSize }
  const rows: TreeRow[] = found.map((organisation, at) => ({
    ...line,
    id: organisation.code,
    kind: 'node',
    label: visibleText(organisation.name),
    detail: visibleText(organisation.code),
    title: titleOf(organisation),
    icon: Building2,
    posInSet: at + 1,
    setSize: total,
  }))
  if (error !== null) return [...rows, { ...line, id: errorRow, kind: 'error', label: error }]
  if (isFetching && found.length === 0) return [{ ...line, id: moreRow, kind: 'loading', label: 'Loading' }]
  if (found.length < total) return [...rows, { ...line, id: moreRow, kind: 'more', label: 'Show more' }]
  return rows
}

/** What somebody created meanwhile moved others to a page that was asked for later. */
function eachOnce(organisations: readonly OrganisationItem[]): OrganisationItem[] {
  return [...new Map(organisations.map(organisation => [organisation.code, organisation])).values()]
}
