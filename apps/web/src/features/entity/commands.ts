import { FolderPlus } from 'lucide-react'
import { firstTexts } from '@cadmus/model/messages/first-load'
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
  registerDependents()
  registerBeside('entity.inDiagram', 'Show in Diagram', 'diagram')
  registerBeside('entity.asText', firstTexts.showAsText, 'text')
}

/** Opens the entity with a panel beside its parts. */
function registerBeside(id: string, label: string, entity: 'diagram' | 'text'): void {
  registerCommand(
    {
      id,
      label,
      group: 'entity',
      visible: ({ target }) => target.kind === 'entity',
      run: async ({ target }) => {
        if (target.kind === 'entity') (await import('../../commands/side-panel.ts')).showBeside({ entity }, target)
      },
    },
    ['tree', 'admin'],
    57,
  )
}

function registerDependents(): void {
  registerCommand(
    {
      id: 'entity.whatDepends',
      label: firstTexts.dependents,
      group: 'entity',
      visible: ({ target }) => target.kind === 'entity',
      run: async ({ target }) => {
        if (target.kind === 'entity') await (await import('./dependents.ts')).showDependentsOf(target)
      },
    },
    ['tree', 'admin'],
    56,
  )
}
