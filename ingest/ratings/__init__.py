"""Who plays better, and how sure that is: points a hand with partners and opponents taken out."""

from tricklog.ingest.ratings.table import Ratings, ratings_of

__all__ = ["Ratings", "ratings_of"]
