import type { DataStep } from '@cadmus/model/data-steps'
import { formatCount } from '@cadmus/model/display'
import { mayEditManifest } from '@cadmus/model/locks'
import { dataStepTexts as texts } from '@cadmus/model/messages/data-steps'
import { useQuery } from '@tanstack/react-query'
import { PencilLine, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { comparedEntityQuery, comparisonQuery, type ComparedSides } from '../api/comparison.ts'
import { messageOf } from '../api/error.ts'
import { saveManifestEdits } from '../api/manifest-edits.ts'
import { type LoadedManifest, useManifest } from '../api/manifests.ts'
import { queryClient } from '../api/query-client.ts'
import { currentScope } from '../api/scope.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { notify } from '../ui/Snackbar.tsx'
import { columnsOfBoth } from './data-step-form.ts'
import { DataStepDialog } from './DataStepDialog.tsx'
import styles from './Consequences.module.css'

/** What becomes of values between both sides. Those of the current state can be edited, and are stored with the manifest at once. */
export function DataSteps({ sides, steps }: { sides: ComparedSides; steps: readonly DataStep[] }) {
  const id = useId()
  const { data: loaded } = useManifest(sides.manifestId)
  const { data: comparison } = useQuery(comparisonQuery(sides))
  const [edited, setEdited] = useState<{ step: DataStep | null; entity: string | null } | null>(null)
  const entities = (comparison?.entities ?? []).filter(({ before, after }) => before !== null && after !== null)
  const isCurrent = sides.after.kind === 'now' || sides.after.kind === 'draft'
  const verdict = loaded && mayEditManifest(loaded.manifest)
  const locked = verdict?.allowed === false ? verdict.reason : false
  const own = new Set(loaded?.manifest.dataSteps.map(({ uid }) => uid))
  const edit = async (step: DataStep) => {
    for (const { uid } of entities) {
      const contents = await queryClient.fetchQuery(comparedEntityQuery(sides, uid))
      if (columnsOfBoth(contents).some(column => column.uid === step.attribute.uid)) {
        setEdited({ step, entity: uid })
        return
      }
    }
    notify('error', texts.noEntity)
  }
  return (
    <section aria-labelledby={id} className={styles['part']}>
      <div className={styles['tools']}>
        <h3 id={id} className={styles['grade']}>
          {texts.heading} <span className={styles['count']}>{formatCount(steps.length)}</span>
        </h3>
        {isCurrent && loaded && (
          <Button icon={Plus} disabled={locked} onClick={() => setEdited({ step: null, entity: null })}>
            {texts.add}
          </Button>
        )}
      </div>
      {steps.length === 0 && <p className={styles['none']}>{texts.none}</p>}
      <ul className={styles['lines']}>
        {steps.map(step => (
          <li key={step.uid}>
            <span className={styles['question']}>
              {texts.line(step)}
              {isCurrent && loaded && own.has(step.uid) && (
                <>
                  <IconButton
                    icon={PencilLine}
                    label={`${texts.edit} ${step.attribute.name}`}
                    disabled={locked}
                    onClick={() => void edit(step)}
                  />
                  <IconButton
                    icon={Trash2}
                    label={`${texts.deletion} ${step.attribute.name}`}
                    disabled={locked}
                    onClick={() => {
                      const others = loaded.manifest.dataSteps.filter(({ uid }) => uid !== step.uid)
                      save(loaded, others, texts.deleted(step.attribute.name)).catch(reportFailure)
                    }}
                  />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {edited && loaded && (
        <DataStepDialog
          sides={sides}
          entities={edited.entity === null ? entities : entities.filter(({ uid }) => uid === edited.entity)}
          step={edited.step}
          onClose={() => setEdited(null)}
          onSave={async step => {
            const { dataSteps } = loaded.manifest
            const isThere = dataSteps.some(({ uid }) => uid === step.uid)
            const next = isThere ? dataSteps.map(one => (one.uid === step.uid ? step : one)) : [...dataSteps, step]
            await save(loaded, next, texts.saved(step.attribute.name))
            setEdited(null)
          }}
        />
      )}
    </section>
  )
}

async function save({ manifest, etag }: LoadedManifest, next: readonly DataStep[], message: string): Promise<void> {
  const scope = currentScope()
  const editsOf = (dataSteps: readonly DataStep[]) => [
    { kind: 'changeManifest' as const, change: { dataSteps: [...dataSteps] } },
  ]
  const saved = await saveManifestEdits(manifest.id, editsOf(next), { etag, scope })
  const undo = () => {
    saveManifestEdits(manifest.id, editsOf(manifest.dataSteps), { etag: saved.etag, scope }).catch(reportFailure)
  }
  notify('success', message, { label: 'Undo', run: undo })
}

function reportFailure(failure: unknown): void {
  notify('error', messageOf(failure, texts.failed))
}
