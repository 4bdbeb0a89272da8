import { historyTexts } from '@cadmus/model/messages/history'
import { impactTexts } from '@cadmus/model/messages/impact'
import { useQuery } from '@tanstack/react-query'
import { configurationQuery } from '../api/configurations.ts'
import { changesNothing, type Restored, restoreLog } from '../api/edit-log.ts'
import { entityQuery } from '../api/entities.ts'
import { ApiError, messageOf } from '../api/error.ts'
import { queryClient, scoped } from '../api/query-client.ts'
import { readFailure } from '../api/read-failure.ts'
import type { Scope } from '../api/scope.ts'
import { UnreadState } from '../ui/ErrorState.tsx'
import { FormDialog, useSubmission } from '../ui/FormDialog.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Differences } from './Differences.tsx'
import styles from './Differences.module.css'

export type RestoreDialogProps = {
  kind: 'entity' | 'manifest'
  id: number
  scope: Scope
  /** Resolves to false if the user cancelled. */
  restore: () => Promise<boolean>
  onClose: () => void
}

/** The preview of a restoration: what changes, what belongs to it, and what cannot be restored. */
export function RestoreDialog({ kind, id, scope, restore, onClose }: RestoreDialogProps) {
  const preview = useQuery({ ...previewQuery(kind, id, scope), staleTime: 0, gcTime: 0, retry: false })
  const { data } = preview
  const { busy, failure, submit } = useSubmission()
  const readError = readFailure(preview, historyTexts.notRestored)
  const isSame = data !== undefined && changesNothing(data)
  const same = data?.missing.length === 0 ? historyTexts.asBefore : historyTexts.nothingRestorable
  const finish = async () => {
    if (data && (await confirmRestored(data, scope)) && (await restore())) onClose()
  }
  return (
    <FormDialog
      title={historyTexts.restoring}
      description={data && `${data.document.name}, ${data.document.path}`}
      width={880}
      busy={busy}
      error={failure === null ? null : messageOf(failure, historyTexts.notRestored)}
      submitLabel="Restore"
      blocked={data ? isSame && same : historyTexts.notRestored}
      onClose={onClose}
      onSubmit={() => void submit(finish)}
    >
      {readError && <UnreadState failure={readError} />}
      {!data && !readError && <Skeleton lines={6} />}
      {data && (
        <>
          {data.differences.length > 0 && <Differences differences={data.differences} kind={data.document.kind} />}
          {isSame && <p>{same}</p>}
          <Lines heading={historyTexts.alsoRestored} lines={data.others} />
          <Lines heading={historyTexts.notRestorable} lines={data.missing} />
          {!isSame && <p className={styles['none']}>{historyTexts.keepsOthers}</p>}
        </>
      )}
    </FormDialog>
  )
}

/** As a save asks, if restoring breaks what others have. */
async function confirmRestored({ document: { kind, id, name }, edits }: Restored, scope: Scope): Promise<boolean> {
  const { confirmConfigurationImpact, confirmImpact } = await import('./impact.ts')
  const words = impactTexts.restored
  if (kind === 'entity' && edits?.entity) {
    const own = await queryClient.fetchQuery(entityQuery(id, undefined, scope)).catch(() => null)
    const home = own?.entity.targetManifest?.id ?? null
    return confirmImpact({ id, name, home, edits: edits.entity, scope }, words)
  }
  if (kind !== 'configuration' || !edits?.configuration) return true
  const own = await queryClient.fetchQuery(configurationQuery(id, undefined, scope)).catch(() => null)
  const database = own?.saved.configuration.packageProperties.connectionPoolInfo.type ?? ''
  return confirmConfigurationImpact({ id, name, database, edits: edits.configuration, scope }, words)
}

function Lines({ heading, lines }: { heading: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <section className={styles['lines']}>
      <h3>{heading}</h3>
      <ul>
        {[...new Set(lines)].map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

function previewQuery(kind: 'entity' | 'manifest', id: number, scope: Scope) {
  return scoped(
    ['restore', kind, id],
    async options => {
      const preview = async (onReferences?: 'keep') =>
        restoreLog(kind, id, { dryRun: true, onReferences }, options.scope ?? scope)
      return preview().catch(async (failure: unknown) => {
        // The question about references follows.
        if (failure instanceof ApiError && failure.references.length > 0) return preview('keep')
        throw failure
      })
    },
    scope,
  )
}
