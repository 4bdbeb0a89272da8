import { messages } from '@cadmus/model/messages'
import { exportEntity } from '../api/entities.ts'
import { messageOf } from '../api/error.ts'
import { notify } from '../ui/Snackbar.tsx'

/** Downloads an entity as a JSON document and says so. */
export async function exportEntityFile({ id }: { id: number }): Promise<void> {
  try {
    notify('success', await exportEntity(id))
  } catch (failure) {
    notify('error', messages.failed.exportEntity(messageOf(failure, messages.failed.unexpected)))
  }
}
