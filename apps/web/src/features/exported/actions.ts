import { messages } from '@cadmus/model/messages'
import { scriptTexts } from '@cadmus/model/messages/values'
import { messageOf, whyFailed } from '../../api/error.ts'
import { deletePackage, downloadPackage } from '../../api/packages.ts'
import type { Target } from '../../commands/context.ts'
import { notify } from '../../ui/notices.ts'
import { confirm } from '../../workbench/confirm.ts'

type Version = Extract<Target, { kind: 'package' }>

export async function downloadVersion(version: Version): Promise<void> {
  await download(version, false)
}

/** Confirms first: the file will contain the password. */
export async function downloadWithPassword(version: Version): Promise<void> {
  const isConfirmed = await confirm({
    title: 'Download with password',
    text: messages.packages.view.withPassword,
    details: [named(version)],
    confirmLabel: 'Download',
  })
  if (isConfirmed) await download(version, true)
}

/** Confirms, then deletes the version; deleting the last one deletes the package. */
export async function deleteVersion(version: Version): Promise<void> {
  const isConfirmed = await confirm({
    title: 'Delete Package',
    text: messages.packages.confirm.deleteVersion(version.build.version),
    details: [named(version)],
    confirmLabel: 'Delete',
    danger: true,
  })
  if (!isConfirmed) return
  try {
    await deletePackage(version.package.id, version.build.version)
    notify('success', messages.packages.deleted)
  } catch (error) {
    notify('error', messages.packages.failed.delete(whyFailed(error)))
  }
}

async function download({ package: { id }, build: { version } }: Version, withPassword: boolean): Promise<void> {
  try {
    notify('success', scriptTexts.downloaded(await downloadPackage(id, version, { withPassword })))
  } catch (error) {
    notify('error', messageOf(error, messages.packages.failed.download))
  }
}

function named({ package: { name }, build: { version } }: Version): string {
  return `${name} ${version}`
}
