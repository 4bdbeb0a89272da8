import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { addSubManifests, manifestSource } from '../../api/manifests.ts'
import { CoreToggle } from '../../commands/EntityFilters.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { useManifestRead } from './use-manifest-read.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Wizards.module.css'

export type AddSubManifestDialogProps = {
  manifest: { id: number; name: string }
  onAdded?: (subManifest: { id: number; name: string }) => void
  onClose: () => void
}

/** Puts another manifest, own or predefined, below this one. */
export function AddSubManifestDialog({ manifest, onAdded, onClose }: AddSubManifestDialogProps) {
  const [core, setCore] = useState(false)
  const [chosen, setChosen] = useState<{ id: number; name: string } | null>(null)
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const problem = chosen?.id === manifest.id ? messages.sameSubManifest : null
  useManifestRead(manifest.id, messages.failed.openAddSubManifest, onClose)

  async function finish() {
    if (!chosen) return
    setSaving(true)
    setError(null)
    try {
      await addSubManifests(manifest.id, [chosen.id])
      notify('success', messages.subManifestAdded)
      onClose()
      onAdded?.(chosen)
    } catch (failure) {
      setError(messageOf(failure, messages.failed.addSubManifest))
      setSaving(false)
    }
  }

  return (
    <Dialog
      title="Add Sub-Manifest"
      description={manifest.name}
      width={420}
      busy={saving}
      onClose={onClose}
      entered={chosen !== null}
      footer={
        <>
          <CloseButton label="Close" />
          <Button
            size="dialog"
            variant="primary"
            busy={saving}
            disabled={chosen ? problem : reasons.select('a manifest')}
            onClick={() => void finish()}
          >
            Finish
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <SearchSelect<{ id: number; name: string }>
          label="Manifest"
          required
          placeholder={messages.placeholders.selectManifest}
          source={manifestSource({ filter: core ? 'ALL' : 'PRIVATE' })}
          value={chosen && { value: String(chosen.id), label: chosen.name, data: chosen }}
          error={problem ?? error}
          onChange={({ data }) => {
            setChosen({ id: data.id, name: data.name })
            setError(null)
          }}
        />
        <CoreToggle of="Manifests" checked={core} onChange={setCore} />
      </div>
    </Dialog>
  )
}
