import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { manifestSource } from '../../api/manifests.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { reasons } from '../../ui/reasons.ts'

type Named = { id: number; name: string }
export type ChooseManifestDialogProps = { title: string; onClose: () => void; onChosen: (manifest: Named) => void }

export function ChooseManifestDialog({ title, onClose, onChosen }: ChooseManifestDialogProps) {
  const [manifest, setManifest] = useState<Named | null>(null)
  const next =
    manifest &&
    (() => {
      onChosen(manifest)
      onClose()
    })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      entered={manifest !== null}
      width={420}
      footer={
        <>
          <CloseButton label="Close" />
          <Button
            size="dialog"
            variant="primary"
            disabled={!next && reasons.select('a manifest')}
            onClick={next ?? undefined}
          >
            Next
          </Button>
        </>
      }
    >
      <SearchSelect<Named>
        label="Manifest"
        required
        placeholder={messages.placeholders.selectManifest}
        source={manifestSource()}
        value={manifest && { value: String(manifest.id), label: manifest.name, data: manifest }}
        onChange={({ data }) => setManifest({ id: data.id, name: data.name })}
      />
    </Dialog>
  )
}
