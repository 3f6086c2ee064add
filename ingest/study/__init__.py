"""The study of stored hands: solved with all cards open, and compared where they share a deal.

``solving`` looks which valid hands of a warehouse nobody has solved yet, and solves them block by
block. A block gets its name when it is complete, and says which hands it is about by their content
and their rules, so that it outlasts loads and rebuilds and whatever happens to the run. What
readers see is made of all blocks, beside the facts, see ``tricklog.ingest.facts.solved``.
``same_deals`` finds deals that several tables played.
"""
