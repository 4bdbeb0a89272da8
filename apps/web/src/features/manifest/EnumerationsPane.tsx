import { ListOrdered, PencilLine, Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import type { Enumeration } from '@cadmus/model/enumeration'
import { mayEditManifest } from '@cadmus/model/locks'
import { enumerationTexts as texts } from '@cadmus/model/messages/enumerations'
import { newUid } from '@cadmus/model/uid'
import { entitiesChangedBy, saveEnumerations } from '../../api/enumerations.ts'
import { messageOf } from '../../api/error.ts'
import { currentScope, type Scope } from '../../api/scope.ts'
import { listedNames } from '../../commands/entity-words.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { fittedColumn } from '../../ui/text-width.ts'
import { confirm } from '../../workbench/confirm.ts'
import { EnumerationDialog } from './EnumerationDialog.tsx'
import styles from './ManifestDocument.module.css'

/** The state that a change is based on. */
type Base = { id: number; etag: string; scope: Scope; enumerations: readonly Enumeration[] }

const idOf = ({ uid }: Enumeration) => uid

const columnsOf = (enumerations: readonly Enumeration[]): readonly Column<Enumeration>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => name,
    width: fittedColumn(
      'Name',
      enumerations.map(({ name }) => name),
    ),
  },
  { id: 'values', header: 'Values', cell: ({ values }) => listedNames(values.map(({ value }) => value)), mono: true },
  { id: 'description', header: 'Description', cell: ({ description }) => description },
]

/** The enumerations of a manifest: added, changed and deleted at once, each with one Undo. */
export function EnumerationsPane({ manifest, etag }: { manifest: ManifestAnswer; etag: string }) {
  const { id, enumerations } = manifest
  const verdict = mayEditManifest(manifest)
  const reason = verdict.allowed ? false : verdict.reason
  const columns = useMemo(() => columnsOf(enumerations), [enumerations])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [edited, setEdited] = useState<{ enumeration: Enumeration; isNew: boolean } | null>(null)
  const selected = useMemo(() => new Set(enumerations.map(idOf).filter(uid => chosen.has(uid))), [enumerations, chosen])
  const base = (): Base => ({ id, etag, scope: currentScope(), enumerations })
  const add = () => setEdited({ enumeration: { uid: newUid(), name: '', description: '', values: [] }, isNew: true })
  const edit = (enumeration: Enumeration) => setEdited({ enumeration, isNew: false })
  const inList = (one: Enumeration) =>
    enumerations.filter(({ uid }) => (selected.has(one.uid) ? selected.has(uid) : uid === one.uid))
  return (
    <section className={styles['members']} aria-label={texts.tab}>
      <div className={styles['enumerations']}>
        <p>{texts.hint}</p>
        <Button icon={Plus} disabled={reason} onClick={add}>
          {texts.add}
        </Button>
      </div>
      <DataTable
        label={texts.tab}
        columns={columns}
        rows={enumerations}
        rowId={idOf}
        rowName={row => row.name}
        selected={selected}
        onSelect={setChosen}
        onDelete={() =>
          void remove(
            base(),
            enumerations.filter(({ uid }) => selected.has(uid)),
          )
        }
        undeletable={reason}
        onOpen={row => (reason === false ? edit(row) : undefined)}
        entriesFor={row => [
          { kind: 'item', id: 'edit', label: 'Edit', icon: PencilLine, disabled: reason, run: () => edit(row) },
          {
            kind: 'item',
            id: 'delete',
            label: texts.deletion,
            icon: Trash2,
            danger: true,
            disabled: reason,
            run: () => void remove(base(), inList(row)),
          },
        ]}
        empty={<EmptyState icon={ListOrdered} text={texts.empty} />}
      />
      {edited && (
        <EnumerationDialog
          {...edited}
          others={enumerations.filter(({ uid }) => uid !== edited.enumeration.uid)}
          onClose={() => setEdited(null)}
          onSave={async enumeration => {
            const now = base()
            const isThere = now.enumerations.some(({ uid }) => uid === enumeration.uid)
            const next = isThere
              ? now.enumerations.map(one => (one.uid === enumeration.uid ? enumeration : one))
              : [...now.enumerations, enumeration]
            await save(now, next, texts.saved(enumeration.name))
            setEdited(null)
          }}
        />
      )}
    </section>
  )
}

async function save(base: Base, next: readonly Enumeration[], message: string): Promise<void> {
  const { id, etag, scope, enumerations: before } = base
  const { undo } = await saveEnumerations(id, next, { etag, scope, before })
  notify('success', message, { label: 'Undo', run: () => void undo().catch(reportFailure) })
}

async function remove(base: Base, removed: readonly Enumeration[]): Promise<void> {
  if (removed.length === 0) return
  const gone = new Set(removed.map(idOf))
  const next = base.enumerations.filter(({ uid }) => !gone.has(uid))
  const names = listedNames(removed.map(({ name }) => name))
  try {
    const users = await entitiesChangedBy(base.id, next, base)
    const question = {
      title: texts.question(names),
      text: users.length === 0 ? texts.unused : texts.usedBy(listedNames(users.map(({ name }) => name))),
      confirmLabel: texts.deletion,
      danger: true,
    }
    if (await confirm(question)) await save(base, next, texts.deleted(names))
  } catch (failure) {
    reportFailure(failure)
  }
}

function reportFailure(failure: unknown): void {
  notify('error', messageOf(failure, texts.failed))
}
