import { Boxes, Building2, Database, Folder, FolderOpen, Library, Package2, Table2 } from 'lucide-react'
import type { Target } from '../commands/context.ts'
import type { Icon } from '../ui/Icon.ts'

export const icons = {
  of(target: Target, open: boolean): Icon {
    switch (target.kind) {
      case 'workspace':
        return target.workspace === 'standard' ? Library : Database
      case 'organisation':
        return Building2
      case 'manifest':
        return Package2
      case 'entity':
        return Table2
      case 'group':
      case 'folder':
        return open ? FolderOpen : Folder
      case 'package':
      case 'none':
        return Boxes
    }
  },
}
