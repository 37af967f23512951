"""What goes over the wire."""

from sqlenv.integrations.openenv import ServedAction, ServedObservation, ServedState

__all__ = ["ServedAction", "ServedObservation", "ServedState"]
