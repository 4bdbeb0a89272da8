import { useState } from 'react'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { reasons } from '../../ui/reasons.ts'

type Named = { id: number; name: string }
export type ChooseManifestDialogProps = { title: string; onClose: () => void; onChosen: (manifest: Named) => void }

export function ChooseManifestDialog({ title, onClose, onChosen }: ChooseManifestDialogProps) {
  const [manifest, setManifest] = useState<Named | null>(null)
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      entered={manifest !== null}
      width={420}
      submitLabel="Next"
      closeLabel="Close"
      blocked={!manifest && reasons.select('a manifest')}
      onSubmit={() => {
        if (manifest) onChosen(manifest)
        onClose()
      }}
    >
      <ManifestSelect label="Manifest" required value={manifest} onChange={setManifest} />
    </FormDialog>
  )
}
