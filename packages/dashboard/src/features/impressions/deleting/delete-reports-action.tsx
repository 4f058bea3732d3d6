import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { Gated } from '../../../shared/ui/gated.tsx'
import { DeleteReportsDialog } from './delete-reports-dialog.tsx'
import { useDeleteReports } from './use-delete-reports.tsx'

/** The button of the page, with its dialog. */
export function DeleteReportsAction() {
  const [isOpen, { open, close }] = useDisclosure(false)
  const { permission, remove } = useDeleteReports()
  return (
    <>
      <Gated permission={permission}>
        <Button size="xs" variant="default" leftSection={<IconTrash size={15} />} onClick={open}>
          Delete reports
        </Button>
      </Gated>
      <DeleteReportsDialog isOpen={isOpen} onClose={close} onDelete={remove} />
    </>
  )
}
