import { FolderPlus } from 'lucide-react'
import { registerCommand } from '../../commands/registry.ts'
import { addEntityToManifest } from './add-to-manifest.ts'

export function registerEntityCommands(): void {
  registerCommand(
    {
      id: 'entity.addToManifest',
      label: 'Add to Manifest',
      icon: FolderPlus,
      group: 'entity',
      visible: ({ target }) => target.kind === 'entity',
      run: ({ target }) => {
        if (target.kind === 'entity') addEntityToManifest({ id: target.id, name: target.name })
      },
    },
    ['tree', 'library', 'admin'],
    58,
  )
}
