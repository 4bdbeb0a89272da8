import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { mayEditManifest, mayRemoveMember } from '@cadmus/model/locks'
import type { MemberType } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { FolderTree, Lock, Table2, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useManifest } from '../../api/manifests.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { removeMemberAfterQuestion, removeSubManifestAfterQuestion } from '../../commands/deletion.ts'
import { DocumentFailure } from '../../commands/DocumentFailure.tsx'
import { DocumentLink, openAt, openEntries } from '../../commands/DocumentLink.tsx'
import { DocumentPath } from '../../commands/DocumentPath.tsx'
import { memberId } from '../../commands/entity-drop.ts'
import { useCommands } from '../../commands/scope.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { manifestCommands, type ManifestContext } from './manifest-commands.ts'
import { useEntityDrop } from './use-entity-drop.ts'
import { useViewedManifestVersion, viewManifestVersion } from './viewed-version.ts'
import styles from './ManifestDocument.module.css'

export function ManifestDocument({ id }: { id: number }) {
  const version = useViewedManifestVersion(id)
  const { data, error, refetch } = useManifest(id, version)
  const onLatest = version === undefined ? undefined : () => viewManifestVersion(id, undefined)
  const failure = { tabId: tabIdOf({ kind: 'manifest', id }), onRetry: () => void refetch(), onLatest }
  if (error && !data) return <DocumentFailure error={error} {...failure} />
  if (!data) return <Skeleton lines={12} />
  return <Loaded manifest={data.manifest} />
}

function Loaded({ manifest }: { manifest: ManifestAnswer }) {
  const app = useAppContext()
  const context = useMemo<ManifestContext>(() => ({ manifest, app }), [manifest, app])
  useCommands(manifestCommands, context)
  const { id, name, path, currentVersion, latestVersion } = manifest
  useEffect(() => {
    // Keeps the tab title in step with the manifest name.
    if (currentVersion === latestVersion) workbench.getState().rename(tabIdOf({ kind: 'manifest', id }), name, path)
  }, [id, name, path, currentVersion, latestVersion])
  const verdict = mayEditManifest(manifest)
  const panel = useRef<HTMLElement>(null)
  const over = useEntityDrop(panel, { id, name, locked: verdict.allowed ? false : verdict.reason })
  return (
    <article
      ref={panel}
      className={styles['document']}
      data-over={over === null ? undefined : over === true ? 'yes' : 'no'}
      title={typeof over === 'string' ? over : undefined}
      aria-label={`Manifest ${visibleText(manifest.name)}`}
    >
      <header className={styles['header']}>
        <div className={styles['titles']}>
          <h1>{visibleText(name)}</h1>
          <DocumentPath
            path={path}
            version={currentVersion}
            latest={latestVersion}
            onLatest={() => viewManifestVersion(id, undefined)}
          />
        </div>
        <Toolbar label="Manifest">
          <CommandButtons commands={manifestCommands} context={context} />
        </Toolbar>
      </header>
      {!verdict.allowed && (
        <p className={styles['locked']}>
          <Lock size={14} aria-hidden />
          {verdict.reason}
        </p>
      )}
      <table className={styles['counts']} aria-label="Information">
        <tbody>
          <tr>
            <th scope="row">Entities</th>
            <td>{manifest.entityPaths.length}</td>
          </tr>
          <tr>
            <th scope="row">Sub-Manifests</th>
            <td>{manifest.subManifestPaths.length}</td>
          </tr>
        </tbody>
      </table>
      <div className={styles['lists']}>
        <Members title="Entities" kind="entity" manifest={manifest} members={manifest.entityPaths} />
        <Members title="Sub-Manifests" kind="manifest" manifest={manifest} members={manifest.subManifestPaths} />
      </div>
    </article>
  )
}

type Member = { id: number; name: string; path: string; type?: MemberType }

type MemberKind = 'entity' | 'manifest'

const columnsOf = (kind: MemberKind): readonly Column<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name, path }) => (
      <DocumentLink document={{ kind, id, name, path }} inRow>
        {name}
      </DocumentLink>
    ),
    width: '40%',
  },
  { id: 'path', header: 'Path', cell: row => <FolderPath folder={row.path} />, mono: true },
]
const columns = { entity: columnsOf('entity'), manifest: columnsOf('manifest') }

type MembersProps = { title: string; kind: MemberKind; manifest: ManifestAnswer; members: readonly Member[] }

function Members({ title, kind, manifest, members }: MembersProps) {
  const text = kind === 'entity' ? messages.empty.entities : 'No Sub-Manifests to display'
  const verdict = mayRemoveMember(manifest)
  const remove = (member: Member) =>
    kind === 'entity'
      ? removeMemberAfterQuestion(member, manifest, member.type !== 'TEMPLATE')
      : removeSubManifestAfterQuestion(member, manifest)
  return (
    <section className={styles['members']} aria-label={title}>
      <h2>{title}</h2>
      <DataTable
        label={title}
        columns={columns[kind]}
        rows={members}
        rowId={row => String(row.id)}
        rowName={row => row.name}
        dragId={kind === 'entity' ? row => memberId(manifest, row) : undefined}
        onOpen={({ id, name, path }) => openAt({ kind, id, name, path })}
        entriesFor={row => [
          ...openEntries({ kind, id: row.id, name: row.name, path: row.path }),
          {
            kind: 'item',
            id: 'delete',
            label: 'Delete',
            icon: Trash2,
            danger: true,
            disabled: verdict.allowed ? false : verdict.reason,
            run: () => void remove(row),
          },
        ]}
        empty={<EmptyState icon={kind === 'entity' ? Table2 : FolderTree} text={text} />}
      />
    </section>
  )
}
