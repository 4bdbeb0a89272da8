import { messages } from '@cadmus/model/messages'
import { exportEntity } from '../api/entities.ts'
import { whyFailed } from '../api/error.ts'
import { notify } from '../ui/Snackbar.tsx'
import { workbench } from '../workbench/page-workbench.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { savedFirst } from '../workbench/leave.ts'

export async function exportEntityFile({ id }: { id: number }): Promise<void> {
  const tabs = workbench.getState().tabs.filter(tab => tab.tabId === tabIdOf({ kind: 'entity', id }))
  if (!(await savedFirst(workbench, tabs, 'Export Entity', messages.exportsSaved))) return
  try {
    notify('success', await exportEntity(id))
  } catch (failure) {
    notify('error', messages.failed.exportEntity(whyFailed(failure)))
  }
}
