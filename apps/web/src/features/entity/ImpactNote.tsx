import { limits } from '@cadmus/model/limits'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Network } from 'lucide-react'
import { useMemo } from 'react'
import { entityImpactQuery } from '../../api/impact.ts'
import { changedBy, impactNote, partSeparator } from '../../commands/impact.ts'
import { editsToSend } from '../../drafts/entity-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { tip } from '../../ui/Tooltip.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import styles from './EntityDocument.module.css'
import { showDependents } from './dependents.ts'
import type { EntityView } from './entity-view.ts'

/** One line on what the unsaved changes mean for others; nothing if they mean nothing, or while that is not known. */
export function ImpactNote({ view }: { view: EntityView }) {
  const { draft, entity, open } = view
  const settled = useDebounced(draft, limits.impact.delay)
  const edits = useMemo(() => (settled.changes > 0 ? editsToSend(settled) : []), [settled])
  const changed = useMemo(() => changedBy(edits), [edits])
  const isKnown = entity.currentVersion === entity.latestVersion && open.state !== 'deleted'
  const { data } = useQuery({
    ...entityImpactQuery(entity.id, settled.etag, edits),
    enabled: isKnown && changed !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const note = data && changed && draft.changes > 0 ? impactNote(data, changed) : ''
  if (note === '' || !isKnown) return null
  return (
    <output className={styles['impact']}>
      <Button variant="quiet" icon={Network} {...tip(note)} onClick={() => void showDependents(view)}>
        <span>
          {note.split(partSeparator).map(part => (
            <span key={part}>{part}</span>
          ))}
        </span>
      </Button>
    </output>
  )
}
