import { messages } from '@cadmus/model/messages'
import { messageOf } from '../../api/error.ts'
import { renameManifest as rename } from '../../api/manifests.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'

/** A manifest name with the ETag of its state. */
export type Named = { id: number; name: string; path: string; etag: string }

/** Renames the manifest and updates open tabs. Returns the undo function. */
export async function renameManifest(before: Named, name: string): Promise<() => void> {
  const { manifest, etag } = await rename(before.id, name, before.etag)
  const after = { id: manifest.id, name: manifest.name, path: manifest.path, etag }
  const { tabs, rename: renameTab } = workbench.getState()
  renameTab(tabIdOf({ kind: 'manifest', id: after.id }), after.name, after.path)
  renameTab(tabIdOf({ kind: 'configuration', id: after.id }), `${after.name} Configuration`, after.path)
  for (const tab of tabs) {
    if (tab.kind === 'entity' && tab.path?.startsWith(`${before.path}/`))
      renameTab(tab.tabId, tab.name, `${after.path}${tab.path.slice(before.path.length)}`)
  }
  return () => {
    renameManifest(after, before.name).catch((failure: unknown) =>
      notify('error', messageOf(failure, messages.failed.renameManifest)),
    )
  }
}
