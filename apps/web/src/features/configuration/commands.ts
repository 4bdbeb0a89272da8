import { SlidersVertical } from 'lucide-react'
import { registerCommand } from '../../commands/registry.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'

/** Configure in the tree. A manifest document runs it for its shown version. */
export function registerConfigurationCommands(): void {
  registerCommand(
    {
      id: 'manifest.configure',
      label: 'Configure',
      icon: SlidersVertical,
      group: 'transfer',
      visible: ({ target }) => target.kind === 'manifest',
      run: ({ target }) => {
        if (target.kind !== 'manifest') return
        const { id, name, path } = target
        const { open, show, shown } = workbench.getState()
        const viewed = shown.get(tabIdOf({ kind: 'manifest', id }))?.version
        open({ kind: 'configuration', id, name: `${name} Configuration`, path })
        show(tabIdOf({ kind: 'configuration', id }), { version: viewed })
      },
    },
    ['tree', 'admin'],
    45,
  )
}
