import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { createEntity } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { addEntities } from '../../api/manifests.ts'
import { undoAction, undoCreationAction } from '../../commands/restore.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { MemberPicker } from './MemberPicker.tsx'
import { emptyMembers, hasMembers, pendingProblem, removeMembers, withPending, type MemberList } from './member-list.ts'
import { useManifestRead } from './use-manifest-read.ts'
import { reasons } from '../../ui/reasons.ts'

export type AddEntityDialogProps = {
  manifest: { id: number; name: string }
  /** Called with the first entity added. */
  onAdded?: (entity: { id: number; name: string }) => void
  onClose: () => void
}

/** Adds entities to the manifest: copies of chosen ones, and new ones by name. */
export function AddEntityDialog({ manifest, onAdded, onClose }: AddEntityDialogProps) {
  const [entered, setEntered] = useState<MemberList>(emptyMembers)
  const [form] = useState(() => ({}))
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const problem = pendingProblem(entered)
  useManifestRead(manifest.id, messages.failed.openAddEntity, onClose)

  async function finish() {
    setSaving(true)
    setError(null)
    const list = withPending(entered)
    let left = list
    const added: { id: number; name: string }[] = []
    const created: { id: number; name: string }[] = []
    try {
      if (list.existing.length > 0) {
        const ids = list.existing.map(entity => entity.id)
        added.push(...(await addEntities(manifest.id, ids)))
        left = removeMembers(left, new Set(ids.map(String)))
        notify('success', messages.entityAddedToManifest, undoAction(manifest.id))
      }
      for (const name of list.custom) {
        // Sequential: the first refused name stops, and earlier entities remain.
        created.push(await createEntity({ entity: { name }, targetManifestId: manifest.id }, form))
        left = removeMembers(left, new Set([name]))
      }
      if (created.length > 0) notify('success', messages.customEntityCreated, undoCreationAction('entity', created))
      onClose()
      const first = added[0] ?? created[0]
      if (first) onAdded?.(first)
    } catch (failure) {
      const fallback = left.existing.length > 0 ? messages.failed.addEntity : messages.failed.customEntity
      setError(messageOf(failure, fallback))
      setEntered(left)
      setSaving(false)
    }
  }

  return (
    <Dialog
      title="Add Entity"
      description={manifest.name}
      width={640}
      error={error}
      busy={saving}
      entered={hasMembers(entered)}
      onClose={onClose}
      footer={
        <>
          <CloseButton label="Close" />
          <Button
            size="dialog"
            variant="primary"
            busy={saving}
            disabled={problem ?? (!hasMembers(entered) && reasons.select('an entity'))}
            onClick={() => void finish()}
          >
            Finish
          </Button>
        </>
      }
    >
      <MemberPicker
        list={entered}
        required
        onChange={next => {
          setEntered(next)
          // The error was about the previous input.
          setError(null)
        }}
      />
    </Dialog>
  )
}
