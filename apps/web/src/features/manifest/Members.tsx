import { FolderTree, Table2, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { mayRemoveMember } from '@cadmus/model/locks'
import type { MemberType } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { DocumentLink, openAt, openEntries, rowLinkIcon } from '../../commands/DocumentLink.tsx'
import { removeMembersAfterQuestion, removeSubManifestsAfterQuestion } from '../../commands/deletion.ts'
import { memberId } from '../../commands/entity-drop.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { fittedColumn } from '../../ui/text-width.ts'
import styles from './ManifestDocument.module.css'

type Member = { id: number; name: string; path: string; type?: MemberType }

type MemberKind = 'entity' | 'manifest'

const columnsOf = (kind: MemberKind, members: readonly Member[]): readonly Column<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name, path }) => (
      <DocumentLink document={{ kind, id, name, path }} inRow>
        {name}
      </DocumentLink>
    ),
    width: fittedColumn(
      'Name',
      members.map(({ name }) => name),
      { beside: rowLinkIcon },
    ),
  },
  { id: 'path', header: 'Path', cell: row => <FolderPath folder={row.path} />, mono: true },
]

const idOf = ({ id }: Member) => String(id)

type MembersProps = { title: string; kind: MemberKind; manifest: ManifestAnswer; members: readonly Member[] }

/** A manifest's entities or sub-manifests, of which several can be removed at once. */
export function Members({ title, kind, manifest, members }: MembersProps) {
  const text = kind === 'entity' ? messages.empty.entities : 'No Sub-Manifests to display'
  const verdict = mayRemoveMember(manifest)
  const hint = kind === 'entity' && verdict.allowed && <p>{sheetTexts.listInvitation}</p>
  const columns = useMemo(() => columnsOf(kind, members), [kind, members])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(() => new Set(members.map(idOf).filter(id => chosen.has(id))), [members, chosen])
  const reason = verdict.allowed ? false : verdict.reason
  async function remove(removed: readonly Member[]) {
    if (kind === 'manifest') return removeSubManifestsAfterQuestion(removed, manifest)
    const owned = ({ type }: Member) => type !== 'TEMPLATE'
    return removeMembersAfterQuestion(
      removed.map(member => ({ ...member, owned: owned(member) })),
      manifest,
    )
  }
  const chosenMembers = members.filter(member => selected.has(idOf(member)))
  return (
    <section className={styles['members']} aria-label={title}>
      <h2>{title}</h2>
      <DataTable
        label={title}
        columns={columns}
        rows={members}
        rowId={idOf}
        rowName={row => row.name}
        selected={selected}
        onSelect={setChosen}
        onDelete={() => void remove(chosenMembers)}
        undeletable={reason}
        dragId={kind === 'entity' ? row => memberId(manifest, row) : undefined}
        onOpen={({ id, name, path }) => openAt({ kind, id, name, path })}
        entriesFor={row => {
          const removed = selected.has(idOf(row)) ? chosenMembers : [row]
          return [
            ...openEntries({ kind, id: row.id, name: row.name, path: row.path }),
            {
              kind: 'item',
              id: 'delete',
              label: removed.length > 1 ? `Delete ${removed.length}` : 'Delete',
              icon: Trash2,
              danger: true,
              disabled: reason,
              run: () => void remove(removed),
            },
          ]
        }}
        empty={<EmptyState icon={kind === 'entity' ? Table2 : FolderTree} text={text} action={hint} />}
      />
    </section>
  )
}
