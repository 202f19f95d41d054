import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/processing";
import { RATES } from "../../../domain/captions/timecode";
import type { Waiting } from "./useImport";

const OWN = "own";

interface Props {
  waiting: Waiting;
  onImport: (fps: number | null) => void;
  onClose: () => void;
}

/** Asks for the frame rate of a file whose times count frames. */
export default function FrameRateDialog({ waiting, onImport, onClose }: Props) {
  const [rate, setRate] = useState(OWN);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("transfer.importTitle", { name: waiting.file.name })}
      centered
    >
      <Stack>
        <Text size="sm">{t("transfer.framesExplained", { form: waiting.form.label })}</Text>
        <Select
          label={t("transfer.frameRate")}
          allowDeselect={false}
          data-autofocus
          data={[
            { value: OWN, label: t("transfer.ownRate") },
            ...RATES.map((each) => ({
              value: String(each),
              label: t("transfer.rate", { rate: each }),
            })),
          ]}
          value={rate}
          onChange={(value) => setRate(value ?? OWN)}
        />
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("transfer.cancel")}
        </Button>
        <Button onClick={() => onImport(rate === OWN ? null : Number(rate))}>
          {t("transfer.import")}
        </Button>
      </Group>
    </Modal>
  );
}
