import { firstTexts } from '@cadmus/model/messages/first-load'
import { useSession } from '../../api/session.ts'
import { useStore } from 'zustand'
import { closeDialog, dialogStore } from '../../workbench/dialogs.ts'
import { questionStore } from '../../workbench/confirm.ts'
import { openAt } from '../../commands/DocumentLink.tsx'
import { releaseTyping } from '../../workbench/type-ahead.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { notify } from '../../ui/notices.ts'
import { onDemand } from '../../ui/on-demand.ts'

const question = onDemand(() => import('../../ui/ConfirmDialog.tsx').then(module => module.ConfirmDialog))
const questionBody = onDemand(() => import('./QuestionBody.tsx').then(module => module.QuestionBody))
const sessionEnd = onDemand(() => import('./SessionExpired.tsx').then(module => module.SessionExpired))
const accessEnd = onDemand(() => import('./AccessLost.tsx').then(module => module.AccessLost))
const { Component: ConfirmDialog } = question
const { Component: QuestionBody } = questionBody
const { Component: SessionExpired } = sessionEnd
const { Component: AccessLost } = accessEnd

/** Dialogs that must work while the server is unreachable: confirmations and the end of the session. */
export async function prefetchQuestions(): Promise<void> {
  const sessionEnds = [sessionEnd.prefetch(), accessEnd.prefetch()]
  await Promise.all([question.prefetch(), questionBody.prefetch(), ...sessionEnds]).catch(() => null)
}

/** Renders open dialogs, the current confirmation, and the session end above all. */
export function DialogHost() {
  const dialogs = useStore(dialogStore, state => state.open)
  const current = useStore(questionStore, state => state.question)
  const expired = useSession(session => session.expired)
  const isAccessLost = useSession(session => session.access === 'lost')
  return (
    <>
      {dialogs.map(dialog => (
        <Boundary key={dialog.key} onFailure={() => closeFailed(() => closeDialog(dialog.key))}>
          <dialog.Content onClose={() => closeDialog(dialog.key)} />
        </Boundary>
      ))}
      {current && (
        <Boundary onFailure={() => closeFailed(() => current.answer('cancel'))}>
          <ConfirmDialog
            title={current.title}
            text={
              <QuestionBody
                question={current}
                onOpen={({ document, tab }) => {
                  current.answer('cancel')
                  openAt(document, { tab })
                }}
              />
            }
            confirmLabel={current.confirmLabel}
            danger={current.danger ?? false}
            onConfirm={() => current.answer('confirm')}
            onCancel={() => current.answer('cancel')}
            {...(current.alternativeLabel
              ? { alternative: { label: current.alternativeLabel, run: () => current.answer('alternative') } }
              : {})}
          />
        </Boundary>
      )}
      {isAccessLost && !expired && (
        <Boundary>
          <AccessLost />
        </Boundary>
      )}
      {expired && (
        <Boundary>
          <SessionExpired />
        </Boundary>
      )}
    </>
  )
}

/** A dialog that fails to load or render closes; the next attempt loads it again. */
function closeFailed(close: () => void): void {
  close()
  releaseTyping()
  notify('error', firstTexts.failed.unexpected)
}
