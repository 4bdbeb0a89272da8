import { Suspense } from 'react'
import { useStore } from 'zustand'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { closeDialog, dialogStore } from '../../workbench/dialogs.ts'
import { questionStore } from '../../workbench/confirm.ts'
import { SessionExpired } from './SessionExpired.tsx'

/** Shows the open dialogs, the question that is asked, and the end of the session above all. */
export function DialogHost() {
  const dialogs = useStore(dialogStore, state => state.open)
  const asked = useStore(questionStore, state => state.asked)
  return (
    <>
      {dialogs.map(dialog => (
        <Suspense key={dialog.key}>
          <dialog.Content onClose={() => closeDialog(dialog.key)} />
        </Suspense>
      ))}
      {asked && (
        <ConfirmDialog
          title={asked.title}
          text={
            <>
              <p>{asked.text}</p>
              {asked.details && (
                <ul>
                  {asked.details.map(line => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              )}
            </>
          }
          confirmLabel={asked.confirmLabel}
          danger={asked.danger ?? false}
          onConfirm={() => asked.answer('confirm')}
          onCancel={() => asked.answer('cancel')}
          {...(asked.alternativeLabel
            ? { alternative: { label: asked.alternativeLabel, run: () => asked.answer('alternative') } }
            : {})}
        />
      )}
      <SessionExpired />
    </>
  )
}
